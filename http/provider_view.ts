import { STATUS_CODE } from "@std/http/status";
import { type Context, page } from "fresh";
import type { SignInView } from "@/components/page/SignInForm.tsx";
import type { Failure } from "@/server/accounts/account_fields.ts";
import type { OidcFailure } from "@/server/oidc/oidc.ts";
import { refuse, wantsJson } from "./rejection.ts";
import { writeCookie } from "./session_cookies.ts";
import type { State } from "./state.ts";

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

/** What people read, with the provider's name in place of `{provider}`, and the status of the answer. */
const texts: Record<OidcFailure, [status: number, text: string]> = {
  unreachable: [
    STATUS_CODE.BadGateway,
    "{provider} does not answer right now. Try again in a moment.",
  ],
  cancelled: [STATUS_CODE.Forbidden, "{provider} did not sign you in. You can try again."],
  not_verified: [
    STATUS_CODE.BadRequest,
    "The answer of {provider} could not be verified, so you are not signed in. Try again; if it " +
    "stays so, tell an admin: the server's log has the cause.",
  ],
  no_attempt: [
    STATUS_CODE.BadRequest,
    "This sign-in took too long, or began in another browser. Try again.",
  ],
  used_before: [STATUS_CODE.BadRequest, "This sign-in was already used. Try again."],
  unverified_email: [
    STATUS_CODE.Forbidden,
    "{provider} has not verified your email, and Rollcall signs in no one without. Verify it " +
    "there, or contact an admin.",
  ],
  too_many: [STATUS_CODE.TooManyRequests, "Too many attempts. Try again in a few minutes."],
};

/** The sign-in page with why a provider signed no one in; the refusal alone for a program. */
export function refuseProviderSignIn(
  ctx: Context<State>,
  failure: OidcFailure | Failure,
  returnTo: string,
) {
  const { state } = ctx;
  const name = state.oidc?.name ?? "";
  const [status, text, reason] = typeof failure === "string"
    ? [texts[failure][0], texts[failure][1].replace("{provider}", () => name), failure]
    : [STATUS_CODE.Forbidden, failure.message, failure.reason];
  const headers = new Headers();
  if (status === STATUS_CODE.TooManyRequests) headers.set("retry-after", "60");
  writeCookie(headers, state.config, providerCookies.attempt, "", 0);
  if (wantsJson(ctx.req)) {
    const response = refuse(status, reason, text);
    for (const [name, value] of headers) response.headers.append(name, value);
    return response;
  }
  state.title = "Sign in";
  return page(signInView(state, { returnTo, error: text }), { status, headers });
}
