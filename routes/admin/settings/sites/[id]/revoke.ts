import { HttpError } from "fresh";
import { audited } from "@/server/audit/audit.ts";
import { revokeConfirmation } from "@/components/site/SiteTagsCard.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Revokes a site tag. Its visitors are not counted from then on. */
export const handler = define.handlers({
  async POST(ctx) {
    const { siteTags } = ctx.state;
    const tag = await siteTags.find(ctx.params.id);
    if (!tag) throw new HttpError(404, "This site tag no longer exists.");
    const question = await requireConfirmation(ctx, revokeConfirmation(tag), {
      fields: [],
      back: `/admin/settings/sites/${tag.id}`,
    });
    if (question) return question;
    const revoked = await siteTags.revoke(tag.id, audited(ctx.state, "site_tag_revoked"));
    if (!revoked) throw new HttpError(404, "This site tag no longer exists.");
    return ctx.redirect(href("/admin/settings?done=site"), 303);
  },
});
