/** How much more a figure may be at the end than before without being called growth. */
export interface Tolerance {
  /** In the figure's own unit. */
  least: number;
  /** As a share of what it was. */
  share: number;
}

/**
 * Whether the second half of a series of measurements, taken at even intervals, grows: the last
 * quarter is above the second one, and it still rises, so that a step is no growth. Both are told by
 * medians, which neither peaks nor saw teeth move. The first quarter is warm-up and does not count.
 */
export function grows(values: readonly number[], { least, share }: Tolerance): boolean {
  const quarter = Math.floor(values.length / 4);
  if (quarter < 4) throw new Error(`${values.length} measurements are too few to tell of growth`);
  const before = median(values.slice(quarter, 2 * quarter));
  const tolerated = Math.max(least, share * before);
  const half = values.slice(-2 * quarter);
  const gained = median(half.slice(-quarter)) - before;
  return gained > tolerated && slope(half) * half.length > tolerated / 2;
}

/** The median of the slopes between all pairs of values (Theil and Sen), for one interval. */
function slope(values: readonly number[]): number {
  const slopes = values.flatMap((one, index) =>
    values.slice(index + 1).map((other, distance) => (other - one) / (distance + 1))
  );
  return median(slopes);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
