import type { Unavailable } from "../brokers/unavailable.ts";
import type { CallRefusal } from "./app_api.ts";

/** A call of the HTTP API that is refused. */
export class ApiRefusal extends Error {
  override name = "ApiRefusal";

  /**
   * @param reason a constant word, for programs.
   * @param message a sentence for the caller's developer.
   */
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly headers: Record<string, string> = {},
    /** The text that has to be signed, and the signature that came. */
    readonly signed?: { readonly signedText: string; readonly signature: string },
  ) {
    super(message);
  }

  /** The answer, with `reason` and `message` as JSON: libraries show the body in their errors. */
  toResponse(): Response {
    const { status, reason, message, headers } = this;
    return Response.json({ reason, message }, { status, headers });
  }
}

/** Why a call about a reserved channel is refused. */
export function reservedText(channel: string): string {
  return `${channel} is reserved for Rollcall's own pages`;
}

/** 400: the call is malformed. */
export function badRequest(message: string): ApiRefusal {
  return new ApiRefusal(400, "bad_request", message);
}

/** 403: the app takes no call now. */
export function forbidden({ reason, message, retryAfterSeconds }: CallRefusal): ApiRefusal {
  const wait = retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds);
  return new ApiRefusal(403, reason, message, wait === undefined ? {} : { "retry-after": wait });
}

/** 413: something exceeds its limit. */
export function tooLarge(message: string): ApiRefusal {
  return new ApiRefusal(413, "too_large", message);
}

/** 503: the call can succeed once the servers reach each other; an event may have been sent to some. */
export function unavailable({ message }: Unavailable): ApiRefusal {
  return new ApiRefusal(503, "unavailable", message, { "retry-after": "5" });
}
