import { deleteRuleConfirmation } from "@/components/alert/Rules.tsx";
import { answerRevocation } from "@/http/link_forms.ts";
import { missingRuleText } from "@/http/rules_view.ts";
import { define } from "@/http/state.ts";
import { audit } from "@/server/audit/audit.ts";

/** Deletes a rule. */
export const handler = define.handlers({
  async POST(ctx) {
    const { params: { id }, state } = ctx;
    const rule = await state.alertRules.find(id);
    return await answerRevocation(ctx, {
      made: rule ? { name: rule.setting.name } : null,
      missing: missingRuleText(),
      confirmation: deleteRuleConfirmation,
      back: `/admin/settings/alerts/rules/${id}`,
      revoke: (made) =>
        state.alertRules.delete(
          id,
          (transaction) =>
            audit(state, "alert_rule_deleted", { id, name: made.name }, {}, transaction),
        ),
      done: "/admin/settings/alerts?done=rule_deleted",
    });
  },
});
