/** Something took longer than it may. */
export class TimedOut extends Error {
  override name = "TimedOut";
  readonly code = "ETIMEDOUT";
  constructor(readonly milliseconds: number) {
    super(`There was no answer within ${milliseconds / 1_000} s`);
  }
}

/**
 * Does something for at most so many milliseconds. The signal aborts when the time is over, and also
 * afterwards, so that what still goes on ends.
 *
 * @throws {TimedOut} when it is not done by then.
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
