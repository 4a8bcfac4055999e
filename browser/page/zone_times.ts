/**
 * A time as a `datetime-local` input has it, to the minute, in UTC or in the reader's own zone. Empty for
 * none.
 *
 * @param at in milliseconds since 1970.
 */
export function inputTime(at: number | undefined, zone: "UTC" | "local"): string {
  if (at === undefined) return "";
  const offsetMs = zone === "UTC" ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, "2026-01-01T00:00".length);
}

/** The time that an input in the reader's zone has, as ISO 8601 in UTC; empty for none. */
export function utcTime(input: string): string {
  const at = Date.parse(input);
  return Number.isNaN(at) ? "" : new Date(at).toISOString();
}
