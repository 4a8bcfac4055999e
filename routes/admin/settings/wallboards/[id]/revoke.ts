import { revokeConfirmation } from "@/components/wallboard/WallboardsCard.tsx";
import { HttpError } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { requireConfirmation } from "@/http/confirmation.tsx";

/** Revokes a wallboard link. Screens that use it stop at once. */
export const handler = define.handlers({
  async POST(ctx) {
    const { wallboards } = ctx.state;
    const link = await wallboards.find(ctx.params.id);
    if (!link) throw new HttpError(404, "This link no longer exists.");
    const question = await requireConfirmation(ctx, revokeConfirmation(link), {
      fields: [],
      back: "/admin/settings",
    });
    if (question) return question;
    const revoked = await wallboards.revoke(
      link.id,
      audited(ctx.state, "wallboard_link_revoked"),
    );
    if (!revoked) throw new HttpError(404, "This link no longer exists.");
    return ctx.redirect(href("/admin/settings?done=revoked"), 303);
  },
});
