import { STATUS_CODE } from "@std/http/status";
import { type Context, page } from "fresh";
import type { SignInView } from "@/components/page/SignInForm.tsx";
import type { Failure } from "@/server/accounts/account_fields.ts";
import type { OidcFailure } from "@/server/oidc/oidc.ts";
import { refuse, wantsJson } from "./rejection.ts";
import { writeCookie } from "./session_cookies.ts";
import type { State } from "./state.ts";
import { text } from "@/shared/language.ts";

/** The cookies of a sign-in with a provider: of the attempt, and of the session, for the sign-out there. */
export const providerCookies = {
  attempt: "provider_attempt",
  session: "provider_session",
} as const;

/** The sign-in page. */
export function signInView(
  { config, oidc, forgottenPasswords }: State,
  { returnTo, email = "", error = "", done = "", needsSetup = false }: {
    returnTo: string;
    email?: string;
    error?: string;
    done?: string;
    needsSetup?: boolean;
  },
): SignInView {
  return {
    returnTo,
    email,
    error,
    done,
    needsSetup,
    acceptsPasswords: config.passwordSignIn,
    sendsLinks: forgottenPasswords !== undefined,
    provider: oidc?.name ?? null,
  };
}

/** The status of the answer, and what people read. */
function explain(failure: OidcFailure, provider: string): [status: number, reason: string] {
  switch (failure) {
    case "unreachable":
      return [
        STATUS_CODE.BadGateway,
        text`${provider} does not answer right now. Try again in a moment.`,
      ];
    case "cancelled":
      return [STATUS_CODE.Forbidden, text`${provider} did not sign you in. You can try again.`];
    case "not_verified":
      return [
        STATUS_CODE.BadRequest,
        [
          text`The answer of ${provider} could not be verified, so you are not signed in.`,
          text`Try again; if this keeps happening, tell an admin: the server's log has the cause.`,
        ].join(" "),
      ];
    case "no_attempt":
      return [
        STATUS_CODE.BadRequest,
        text`This sign-in took too long, or began in another browser. Try again.`,
      ];
    case "used_before":
      return [STATUS_CODE.BadRequest, text`This sign-in was already used. Try again.`];
    case "unverified_email":
      return [
        STATUS_CODE.Forbidden,
        [
          text`${provider} has not verified your email, and Rollcall signs no one in without that.`,
          text`Verify it there, or contact an admin.`,
        ].join(" "),
      ];
    case "too_many":
      return [
        STATUS_CODE.TooManyRequests,
        text`Too many attempts. Try again in a few minutes.`,
      ];
  }
}

/** The sign-in page with why a provider signed no one in; the refusal alone for a program. */
export function refuseProviderSignIn(
  ctx: Context<State>,
  failure: OidcFailure | Failure,
  returnTo: string,
) {
  const { state } = ctx;
  const name = state.oidc?.name ?? "";
  const reason = typeof failure === "string" ? failure : failure.reason;
  const [status, message] = typeof failure === "string"
    ? explain(failure, name)
    : [STATUS_CODE.Forbidden, failure.message];
  const headers = new Headers();
  if (status === STATUS_CODE.TooManyRequests) headers.set("retry-after", "60");
  writeCookie(headers, state.config, providerCookies.attempt, "", 0);
  if (wantsJson(ctx.req)) {
    const response = refuse(status, reason, message);
    for (const [name, value] of headers) response.headers.append(name, value);
    return response;
  }
  state.title = text`Sign in`;
  return page(signInView(state, { returnTo, error: message }), { status, headers });
}
