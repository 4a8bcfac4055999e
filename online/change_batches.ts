import type { Change } from "../shared/online.ts";
/** Well below what an event may hold. */
const maxBytes = 8_000;

/** Parts changes, in their order, so that each part fits into an event. */
export function batchesOf(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = new TextEncoder().encode(JSON.stringify(change)).length + 1;
    if (bytes > room) {
      parts.push([]);
      room = maxBytes;
    }
    parts.at(-1)!.push(change);
    room -= bytes;
  }
  return parts;
}
