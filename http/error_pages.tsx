import { STATUS_CODE } from "@std/http/status";
import { type Context, HttpError } from "fresh";
import { AuthorityLost } from "@/server/audit/authority.ts";
import {
  briefAnswer,
  databaseUnavailable,
  ExpiredPageError,
  missingPageText,
  pageExpired,
  type Rejection,
  rejectionFor,
  serverError,
  wantsJson,
} from "./rejection.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import { href, pathOf } from "@/shared/address.ts";
import { ErrorPage, errorTitle } from "@/components/page/ErrorPage.tsx";
import { define, type State } from "./state.ts";
import type { Outage } from "@/server/database/unavailable.ts";
import { logFailure, logOutage } from "./request_id.ts";
import { text } from "@/shared/language.ts";

/**
 * Answers errors with a page of this app, or with JSON for programs. It is inside the middleware that
 * sets the security headers, so that error pages have them; with a Fresh `_error` route they would not.
 */
export const errorPages = define.middleware(async (ctx) => {
  try {
    return await ctx.next();
  } catch (error) {
    return briefAnswer(ctx.req, error) ??
      await answer(ctx, ...statusAndRejection(error, ctx.state.database.outages.current));
  }
});

/** When to try again, in seconds. */
const retrySeconds = "5";

/** As `ctx.route` names them, so that a slash at the end of the path makes no difference. */
const signingRoutes = ["/sign-in", "/sign-out"];

async function answer(ctx: Context<State>, status: number, refusal: Rejection): Promise<Response> {
  const headers = new Headers();
  if (status === STATUS_CODE.ServiceUnavailable) headers.set("retry-after", retrySeconds);
  if (wantsJson(ctx.req)) return Response.json(refusal, { status, headers });
  // The form is older than the last sign-in or sign-out: its purpose is achieved, or the page asks again.
  if (refusal.reason === "csrf_token_mismatch" && isSigning(ctx.route)) {
    return ctx.redirect(href("/sign-in"), 303);
  }
  ctx.state.title = errorTitle(status);
  const { requestId } = ctx.state;
  // The heading of the page says it.
  const message = refusal.message === missingPageText()
    ? text`Check the address, or start from the home page.`
    : refusal.message;
  return await ctx.render(
    <ErrorPage status={status} message={message} requestId={requestId} />,
    { status, headers },
  );
}

function isSigning(route: string | null): boolean {
  return route !== null && signingRoutes.includes(pathOf({ pathname: route }));
}

/**
 * An error during an outage of the database is an effect of it: the library of the accounts does not pass
 * its cause on.
 */
function statusAndRejection(
  error: unknown,
  outage: Outage | null,
): [status: number, refusal: Rejection] {
  if (error instanceof ExpiredPageError) {
    return [pageExpired, { reason: error.reason, message: error.message }];
  }
  // 503 says that the server is busy, with a sentence for the reader; other codes from 500 on are faults.
  if (error instanceof HttpError && (error.status < 500 || error.status === 503)) {
    return [error.status, rejectionFor(error.status, error.message)];
  }
  if (error instanceof AuthorityLost) {
    return [STATUS_CODE.Forbidden, rejectionFor(STATUS_CODE.Forbidden, error.message)];
  }
  if (outage) {
    logOutage(outage);
    return [STATUS_CODE.ServiceUnavailable, databaseUnavailable()];
  }
  if (error instanceof Unavailable) {
    const message =
      text`The servers cannot reach each other right now. Try again in a few seconds.`;
    return [STATUS_CODE.ServiceUnavailable, { reason: "servers_unavailable", message }];
  }
  logFailure(error);
  return [500, serverError()];
}
