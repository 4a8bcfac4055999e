import { HttpError } from "fresh";
import { define } from "../state.ts";
import { logOf, withRequestId } from "../observability/logging.ts";
import { requestIdOf } from "../observability/request_id.ts";
import { refuse } from "../http/refusal.ts";

const log = logOf("http");

/**
 * Gives a request its id, which is in every line that is logged on its behalf and in the answer's
 * `X-Request-Id`. What nothing further in turned into an answer is logged here.
 */
export const assignRequestId = define.middleware((ctx) => {
  const requestId = ctx.state.requestId = requestIdOf(ctx.req.headers);
  return withRequestId(requestId, async () => {
    const start = performance.now();
    const response = await answered(ctx.next);
    response.headers.set("x-request-id", requestId);
    log.debug("A request was answered", {
      method: ctx.req.method,
      // The pattern, not the path: that may have a user's id in it.
      route: ctx.route,
      status: response.status,
      milliseconds: Math.round(performance.now() - start),
      peer: ctx.state.clientAddress,
    });
    return response;
  });
});

async function answered(next: () => Promise<Response>): Promise<Response> {
  try {
    return await next();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    logFailure(error);
    return refuse(
      500,
      "server_error",
      "Something went wrong on the server. The error has been logged.",
    );
  }
}

/** Logs what kept a request from being answered as it should. */
export function logFailure(error: unknown): void {
  log.error("A request failed", { error: error instanceof Error ? error : new Error(`${error}`) });
}
