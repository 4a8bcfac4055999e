import { HttpError } from "fresh";
import { audit } from "../../../../../people/audit.ts";
import { href } from "../../../../../shared/address.ts";
import { revoking } from "../../../../../components/settings/revocation.ts";
import { define } from "../../../../../state.ts";
import { requireConfirmation } from "../../../../../http/confirmation.tsx";

/** Ends a wallboard's link, and every screen that shows it. */
export const handler = define.handlers({
  async POST(ctx) {
    const { wallboards } = ctx.state;
    const link = await wallboards.find(ctx.params.id);
    if (!link) throw new HttpError(404, "There is no such link any more.");
    const question = await requireConfirmation(ctx, revoking(link), {
      fields: [],
      back: "/admin/settings",
    });
    if (question) return question;
    const revoked = await wallboards.revoke(
      link.id,
      (queries) => audit(ctx.state, "wallboard_link_revoked", link, {}, queries),
    );
    if (!revoked) throw new HttpError(404, "There is no such link any more.");
    return ctx.redirect(href("/admin/settings?done=revoked"), 303);
  },
});
