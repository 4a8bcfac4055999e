/**
 * The files that take longest, in order. One that began last would keep the whole run waiting while the
 * other cores do nothing.
 */
export const slowFiles = [
  "tests/docs/code_blocks_test.ts",
];

/** How many other files a process runs, one after the other. Starting one takes 0.1 s of CPU. */
const filesInBatch = 6;

/** The test files that each process runs, in the order in which these are started. */
export function batchesOf(files: readonly string[]): string[][] {
  const slow = slowFiles.filter((file) => files.includes(file));
  const others = files.filter((file) => !slow.includes(file));
  const batches = slow.map((file) => [file]);
  for (let start = 0; start < others.length; start += filesInBatch) {
    batches.push(others.slice(start, start + filesInBatch));
  }
  return batches;
}
