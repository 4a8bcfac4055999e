import { HttpError } from "fresh";
import { define } from "./state.ts";
import { logOf, requestIdOf, withRequestId } from "@/server/observability/logging.ts";
import { serverError } from "./rejection.ts";

const log = logOf("http");

/**
 * Gives a request its id, which is in each log line of the request and in the answer's `X-Request-Id`.
 * Errors that no inner middleware has answered are logged here.
 */
export const assignRequestId = define.middleware((ctx) => {
  const requestId = ctx.state.requestId = requestIdOf(ctx.req.headers);
  return withRequestId(requestId, async () => {
    const start = performance.now();
    const response = await answered(ctx.next);
    response.headers.set("x-request-id", requestId);
    log.debug("A request was answered", {
      method: ctx.req.method,
      // The pattern, not the path, which can contain a user's id.
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
    return Response.json(serverError, { status: 500 });
  }
}

/** Logs an error that failed a request. */
export function logFailure(error: unknown): void {
  log.error("A request failed", { error: error instanceof Error ? error : new Error(`${error}`) });
}

/** Logs that a request failed during an outage of the database, which has lines of its own. */
export function logOutage({ reason }: { reason: string }): void {
  log.warn("A request failed because of the database", { reason });
}
