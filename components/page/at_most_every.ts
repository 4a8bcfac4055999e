/**
 * Limits how often `act` runs: the first call runs it at once; calls that come sooner than `interval`
 * after the last run are merged into one run at the end of the interval.
 *
 * @param interval in milliseconds.
 */
export function atMostEvery(interval: number, act: () => void): () => void {
  let actedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const actNow = () => {
    timer = undefined;
    actedAt = Date.now();
    act();
  };
  return () => {
    if (timer !== undefined) return;
    const wait = actedAt + interval - Date.now();
    if (wait <= 0) actNow();
    // A clock that was set back would make the wait longer than the interval.
    else timer = setTimeout(actNow, Math.min(wait, interval));
  };
}
