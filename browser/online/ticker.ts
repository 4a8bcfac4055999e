import type { Activity } from "../../shared/online.ts";

/** Lines that are shown. */
export const tickerLength = 20;

/** What tells one line from another: nobody does the same twice in a millisecond. */
export function tickerKey({ at, id, change }: Activity): string {
  return `${at} ${change} ${id}`;
}

/**
 * The newest lines of what was known and what is told, newest first. A line that is told twice is one.
 *
 * @param known newest first.
 * @param told in the order in which it happened.
 */
export function withActivity(
  known: readonly Activity[],
  told: readonly Activity[],
): readonly Activity[] {
  const lines = new Map([...known.toReversed(), ...told].map((line) => [tickerKey(line), line]));
  if (lines.size === known.length) return known;
  return [...lines.values()].sort((a, b) => a.at - b.at).reverse().slice(0, tickerLength);
}
