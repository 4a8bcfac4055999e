/** The server has too much to do for this request. It is answered with 503 and `Retry-After`. */
export class BusyError extends Error {
  override name = "BusyError";

  /** @param retryAfterSeconds when another attempt is likely to succeed. */
  constructor(readonly retryAfterSeconds: number) {
    super("The server is busy. Try again in a moment.");
  }
}
