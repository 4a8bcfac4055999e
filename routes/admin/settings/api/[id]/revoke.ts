import { audited } from "@/server/audit/audit.ts";
import { revokeConfirmation } from "@/components/api/ApiPage.tsx";
import { answerRevocation } from "@/http/link_forms.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Revokes a token of the API. Programs that use it are refused at once, by all servers. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { id }, state } = ctx;
    return await answerRevocation(ctx, {
      made: await state.apiTokens.find(id),
      missing: text`This token no longer exists.`,
      confirmation: revokeConfirmation,
      back: "/admin/settings/api",
      revoke: () => state.apiTokens.revoke(id, audited(state, "api_token_revoked")),
      done: "/admin/settings/api?done=revoked",
    });
  },
});
