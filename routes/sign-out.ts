import { href } from "@/shared/address.ts";
import { signedOutReason } from "@/shared/close_reasons.ts";
import { define } from "@/http/state.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";

/** Ends the browser's session and closes the connections of all its tabs. */
export const handler = define.handlers({
  async POST(ctx) {
    const { accounts, allServers, session } = ctx.state;
    const cookies = await accounts.signOut(ctx.req.headers);
    if (session) {
      const code = closeCodes.reconnect;
      allServers.closeSession(session.id, { code, reason: signedOutReason, cause: "signed_out" });
    }
    const response = ctx.redirect(href("/sign-in"), 303);
    for (const cookie of cookies) response.headers.append("set-cookie", cookie);
    return response;
  },
});
