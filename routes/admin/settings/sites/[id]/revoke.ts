import { audited } from "@/server/audit/audit.ts";
import { revokeConfirmation } from "@/components/site/SiteTags.tsx";
import { answerRevocation } from "@/http/link_forms.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Revokes a site tag. Its visitors are not counted from then on. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { id }, state } = ctx;
    return await answerRevocation(ctx, {
      made: await state.siteTags.find(id),
      missing: text`This site tag no longer exists.`,
      confirmation: revokeConfirmation,
      back: `/admin/settings/sites/${id}`,
      revoke: () => state.siteTags.revoke(id, audited(state, "site_tag_revoked")),
      done: "/admin/settings/sites?done=revoked",
    });
  },
});
