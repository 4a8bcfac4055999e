import { HttpError } from "fresh";
import { revokeConfirmation } from "@/components/api/ApiPage.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { define } from "@/http/state.ts";
import { audited } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";

/** Revokes a token of the API. Programs that use it are refused at once, by all servers. */
export const handler = define.handlers({
  async POST(ctx) {
    const { apiTokens } = ctx.state;
    const token = await apiTokens.find(ctx.params.id);
    if (!token) throw new HttpError(404, "This token no longer exists.");
    const question = await requireConfirmation(ctx, revokeConfirmation(token), {
      fields: [],
      back: "/admin/settings/api",
    });
    if (question) return question;
    const revoked = await apiTokens.revoke(token.id, audited(ctx.state, "api_token_revoked"));
    if (!revoked) throw new HttpError(404, "This token no longer exists.");
    return ctx.redirect(href("/admin/settings/api?done=revoked"), 303);
  },
});
