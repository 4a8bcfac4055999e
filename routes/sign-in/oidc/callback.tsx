import { HttpError } from "fresh";
import { SignInForm } from "@/components/page/SignInForm.tsx";
import { providerCookies, refuseProviderSignIn } from "@/http/provider_view.ts";
import { readCookie, withSession, writeCookie } from "@/http/session_cookies.ts";
import { define } from "@/http/state.ts";
import { recordSignIn } from "@/server/observability/sign_ins.ts";
import { signInWithProvider } from "@/server/people/provider_sign_in.ts";
import { href } from "@/shared/address.ts";

/** Where the provider sends the browser back to: signs in, and redirects to the page that was asked for. */
export const handler = define.handlers({
  async GET(ctx) {
    const { req, state } = ctx;
    const { clientAddress: peerAddress, config, oidc } = state;
    if (!oidc) throw new HttpError(404);
    const cookie = readCookie(req.headers, config, providerCookies.attempt);
    const finished = await oidc.finish(peerAddress, ctx.url.search, cookie);
    const { returnTo } = finished;
    if (!finished.ok) return refuseProviderSignIn(ctx, finished.reason, returnTo);
    const { person, signOutHint } = finished;
    const seconds = oidc.sessionSeconds;
    const userAgent = req.headers.get("user-agent") ?? "";
    const signedIn = await signInWithProvider(state, person, { peerAddress, userAgent, seconds });
    if (!signedIn.ok) return refuseProviderSignIn(ctx, signedIn, returnTo);
    recordSignIn(state, "signed_in", { email: person.email, peer: peerAddress });
    const response = withSession(ctx.redirect(href(returnTo), 303), config, signedIn);
    writeCookie(response.headers, config, providerCookies.attempt, "", 0);
    writeCookie(response.headers, config, providerCookies.session, signOutHint, seconds);
    return response;
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SignInForm csrfToken={state.csrfToken} {...data} />
));
