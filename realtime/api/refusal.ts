import type { CallRefusal } from "./app_api.ts";

/** A call of the HTTP API that is not carried out. The answer names the fault for the caller. */
export class ApiRefusal extends Error {
  override name = "ApiRefusal";

  /** `reason` is a word that never changes; `message` a sentence for the caller's developer. */
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  /** The answer; libraries show its body to their developer. */
  toResponse(): Response {
    const { status, reason, message, headers } = this;
    return Response.json({ reason, message }, { status, headers });
  }
}

/** The call itself is malformed. */
export function badRequest(message: string): ApiRefusal {
  return new ApiRefusal(400, "bad_request", message);
}

/** The app takes no call now. */
export function forbidden({ reason, message, retryAfterSeconds }: CallRefusal): ApiRefusal {
  const wait = retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds);
  return new ApiRefusal(403, reason, message, wait === undefined ? {} : { "retry-after": wait });
}

/** Something is larger than it may be. */
export function tooLarge(message: string): ApiRefusal {
  return new ApiRefusal(413, "too_large", message);
}
