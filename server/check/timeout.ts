/** Something did not end in time. */
export class TimedOut extends Error {
  override name = "TimedOut";
  readonly code = "ETIMEDOUT";
  constructor(readonly milliseconds: number) {
    super(`No response within ${milliseconds / 1_000} s`);
  }
}

/**
 * Bounds the time that work takes. The signal aborts when the time is over, and also when the work
 * ends, so that nothing it started goes on.
 *
 * @throws {TimedOut} when the work does not end in time.
 */
export async function within<Value>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const ending = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimedOut(milliseconds)), milliseconds);
  try {
    return await Promise.race([work(ending.signal), late]);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}
