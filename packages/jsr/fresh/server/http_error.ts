import type { ErrorStatus } from "@std/http/status";

/**
 * An error that is answered with the given status, by the nearest error page or as plain text. Its
 * message is sent to the client, so it must hold nothing secret; it is "" unless given.
 */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: ErrorStatus;

  constructor(status: ErrorStatus, message = "", options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
