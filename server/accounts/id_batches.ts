/** Far below the number of parameters that a statement may have. */
const batchSize = 500;

/** Splits ids into batches that fit into one query each. */
export function* idBatches(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchSize) {
    yield ids.slice(start, start + batchSize);
  }
}
