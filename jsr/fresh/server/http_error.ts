/** A status code that an HttpError may carry: 4xx or 5xx. */
export type ErrorStatus =
  | (
    | 400
    | 401
    | 402
    | 403
    | 404
    | 405
    | 406
    | 407
    | 408
    | 409
    | 410
    | 411
    | 412
    | 413
    | 414
    | 415
  )
  | (
    | 416
    | 417
    | 418
    | 421
    | 422
    | 423
    | 424
    | 425
    | 426
    | 428
    | 429
    | 431
    | 451
  )
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511);

/**
 * An error that is answered with the given status, by the nearest error page or as plain text. Its
 * message is shown to whoever asked, so it must hold nothing secret; it is "" unless given.
 */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: ErrorStatus;

  constructor(status: ErrorStatus, message = "", options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The reason phrases of the statuses that come up most; for others the class of the error is said. */
const reasons: Partial<Record<ErrorStatus, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** The answer to a request whose error no page has handled. Only what is unexpected is logged. */
export function plainErrorResponse(error: unknown): Response {
  if (error instanceof HttpError) {
    if (error.status >= 500) console.error(error);
    return new Response(
      error.message || reasons[error.status] || fallback(error.status),
      {
        status: error.status,
      },
    );
  }
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}

function fallback(status: ErrorStatus): string {
  return status < 500 ? "Bad Request" : "Internal Server Error";
}
