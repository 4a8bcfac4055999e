/** How much more a figure may be at the end than before without being called growth. */
export interface Tolerance {
  /** In the figure's own unit. */
  least: number;
  /** As a share of what it was. */
  share: number;
}

/**
 * Whether the second half of a series of measurements, taken at even intervals, grows: the last
 * quarter is above the second one, and the third is on the way, so that a single step, as memory
 * allocators make them, is no growth. It compares medians, which neither peaks nor saw teeth move.
 * The first quarter is warm-up and does not count.
 */
export function grows(values: readonly number[], { least, share }: Tolerance): boolean {
  const length = Math.floor(values.length / 4);
  if (length < 4) throw new Error(`${values.length} measurements are too few to find growth`);
  const [second, third, last] = [1, 2, 3].map((quarter) =>
    median(values.slice(quarter * length, (quarter + 1) * length))
  );
  const tolerated = Math.max(least, share * second);
  const isOnTheWay = third - second > tolerated / 4 && last - third > tolerated / 4;
  return last - second > tolerated && isOnTheWay;
}

/** One of the values itself, so that a step in the middle does not look like half a step. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}
