/**
 * With more users a channel is large: admins' pages are sent totals, and ask for the rows that they show. A
 * list of 5,000 is 0.7 MB of JSON, which each page loads, copies and sorts; and the server takes 6 ms of
 * CPU twice a second to find out what changed in it.
 */
export const largeAbove = 5_000;

/** With fewer it is small again. Between the two it stays what it was, as a change has pages load a list. */
export const smallBelow = 4_000;

/** Whether a channel is large. @param before whether it was */
export function isLargeNow(before: boolean, users: number): boolean {
  return before ? users >= smallBelow : users > largeAbove;
}
