import { HttpError } from "fresh";
import { SignInForm } from "@/components/page/SignInForm.tsx";
import { providerCookies, refuseProviderSignIn } from "@/http/provider_view.ts";
import { returnPath, writeCookie } from "@/http/session_cookies.ts";
import { define } from "@/http/state.ts";
import { attemptSeconds } from "@/server/oidc/attempt.ts";
import { href } from "@/shared/address.ts";

/** Sends the browser to the provider, to sign in there. */
export const handler = define.handlers({
  async GET(ctx) {
    const { clientAddress, config, oidc, session } = ctx.state;
    if (!oidc) throw new HttpError(404);
    const returnTo = returnPath(ctx.url.searchParams.get("return"));
    if (session) return ctx.redirect(href(returnTo), 303);
    const started = await oidc.start(clientAddress, returnTo);
    if (!started.ok) return refuseProviderSignIn(ctx, started.reason, returnTo);
    const response = ctx.redirect(started.url.href, 303);
    const { attempt } = providerCookies;
    writeCookie(response.headers, config, attempt, started.cookie, attemptSeconds);
    return response;
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SignInForm csrfToken={state.csrfToken} {...data} />
));
