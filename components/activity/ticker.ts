import type { Activity } from "@/shared/online.ts";

/** The number of lines. */
export const tickerLength = 20;

/** Identifies a line: a person joins or leaves at most once in a millisecond. */
export function tickerKey({ at, id, change }: Activity): string {
  return `${at} ${change} ${id}`;
}

/**
 * The newest of the known and the added lines, newest first, without duplicates. The same object when
 * nothing was added.
 *
 * @param known newest first.
 * @param added oldest first.
 */
export function withActivity(
  known: readonly Activity[],
  added: readonly Activity[],
): readonly Activity[] {
  const lines = new Map([...known.toReversed(), ...added].map((line) => [tickerKey(line), line]));
  if (lines.size === known.length) return known;
  return [...lines.values()].sort((a, b) => a.at - b.at).reverse().slice(0, tickerLength);
}
