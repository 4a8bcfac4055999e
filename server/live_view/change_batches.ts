/** Well below the largest event that the server sends. */
const maxBytes = 8_000;

/** Splits changes, in their order, into batches that fit into one event each. */
export function batchesOf<Change>(changes: readonly Change[]): Change[][] {
  const batches: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = new TextEncoder().encode(JSON.stringify(change)).length + 1;
    if (bytes > room) {
      batches.push([]);
      room = maxBytes;
    }
    batches.at(-1)!.push(change);
    room -= bytes;
  }
  return batches;
}
