/**
 * A function that acts at its first call at once, and after calls that come too soon, once, when the
 * time has passed.
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
    else timer = setTimeout(actNow, Math.min(wait, interval));
  };
}
