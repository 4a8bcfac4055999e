import type { Context } from "fresh";
import { LeavingPage } from "@/components/page/LeavingPage.tsx";
import { providerCookies } from "@/http/provider_view.ts";
import { readCookie, writeCookie } from "@/http/session_cookies.ts";
import { href } from "@/shared/address.ts";
import { signedOutReason } from "@/shared/close_reasons.ts";
import { define, type State } from "@/http/state.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";
import { text } from "@/shared/language.ts";

/**
 * Ends the browser's session and closes the connections of all its tabs. Who came with the provider is signed out
 * there, too.
 */
export const handler = define.handlers({
  async POST(ctx) {
    const { accounts, allServers, session } = ctx.state;
    const cookies = await accounts.signOut(ctx.req.headers);
    if (session) {
      const code = closeCodes.reconnect;
      allServers.closeSession(session.id, { code, reason: signedOutReason, cause: "signed_out" });
    }
    const response = await leaveProvider(ctx) ?? ctx.redirect(href("/sign-in"), 303);
    for (const cookie of cookies) response.headers.append("set-cookie", cookie);
    return response;
  },
});

/**
 * A page that goes on to the provider: the policy of the page with the form allows no redirect to another host.
 *
 * @returns null where there is nothing to sign out of.
 */
async function leaveProvider(ctx: Context<State>): Promise<Response | null> {
  const { config, oidc } = ctx.state;
  const hint = oidc && readCookie(ctx.req.headers, config, providerCookies.session);
  if (!oidc || hint === undefined) return null;
  const headers = new Headers();
  writeCookie(headers, config, providerCookies.session, "", 0);
  const url = await oidc.signOutUrl(hint);
  if (url === null) {
    headers.set("location", href("/sign-in"));
    return new Response(null, { status: 303, headers });
  }
  headers.set("refresh", `0; url=${url.href}`);
  ctx.state.title = text`Signed out`;
  ctx.state.session = null;
  return await ctx.render(<LeavingPage provider={oidc.name} url={url.href} />, { headers });
}
