import { HttpError } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { revokeConfirmation } from "@/components/embed/EmbedsCard.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Revokes an embed. */
export const handler = define.handlers({
  async POST(ctx) {
    const { embeds } = ctx.state;
    const embed = embeds.find(ctx.params.id);
    if (!embed) throw new HttpError(404, "This embed no longer exists.");
    const question = await requireConfirmation(ctx, revokeConfirmation(embed), {
      fields: [],
      back: `/admin/settings/embeds/${embed.id}`,
    });
    if (question) return question;
    const revoked = await embeds.revoke(embed.id, audited(ctx.state, "embed_revoked"));
    if (!revoked) throw new HttpError(404, "This embed no longer exists.");
    return ctx.redirect(href("/admin/settings?done=embed"), 303);
  },
});
