/**
 * The value of a `datetime-local` input, to the minute, in UTC or in the reader's own zone. Empty when
 * there is no time.
 *
 * @param at in milliseconds since 1970.
 */
export function inputTime(at: number | undefined, zone: "UTC" | "local"): string {
  if (at === undefined) return "";
  const offsetMs = zone === "UTC" ? 0 : new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offsetMs).toISOString().slice(0, "2026-01-01T00:00".length);
}

/**
 * The time in such an input of the reader's zone, as ISO 8601 in UTC; empty for an empty input.
 *
 * @param shown the time that the input had at first. As long as it has not changed, that is its time: it
 * may have seconds, and be in an hour which the reader's clock has twice.
 */
export function utcTime(input: string, shown?: number): string {
  const at = shown !== undefined && input === inputTime(shown, "local") ? shown : Date.parse(input);
  return Number.isNaN(at) ? "" : new Date(at).toISOString();
}
