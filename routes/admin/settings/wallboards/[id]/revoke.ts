import { audited } from "@/server/audit/audit.ts";
import { revokeConfirmation } from "@/components/wallboard/WallboardsCard.tsx";
import { answerRevocation } from "@/http/link_forms.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Revokes a wallboard link. Screens that use it stop at once. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { id }, state } = ctx;
    return await answerRevocation(ctx, {
      made: await state.wallboards.find(id),
      missing: text`This link no longer exists.`,
      confirmation: revokeConfirmation,
      back: "/admin/settings/displays",
      revoke: () => state.wallboards.revoke(id, audited(state, "wallboard_link_revoked")),
      done: "/admin/settings/displays?done=revoked",
    });
  },
});
