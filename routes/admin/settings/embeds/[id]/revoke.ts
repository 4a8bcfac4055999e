import { audited } from "@/server/audit/audit.ts";
import { revokeConfirmation } from "@/components/embed/EmbedsCard.tsx";
import { answerRevocation } from "@/http/link_forms.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Revokes an embed. */
export const handler = define.handlers({
  POST(ctx) {
    const { params: { id }, state } = ctx;
    return answerRevocation(ctx, {
      made: state.embeds.find(id),
      missing: text`This embed no longer exists.`,
      confirmation: revokeConfirmation,
      back: `/admin/settings/embeds/${id}`,
      revoke: () => state.embeds.revoke(id, audited(state, "embed_revoked")),
      done: "/admin/settings/displays?done=embed",
    });
  },
});
