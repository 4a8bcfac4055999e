import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { RulePage } from "@/components/alert/Rules.tsx";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { enteredRule, missingRuleText, ruleDetails, ruleView } from "@/http/rules_view.ts";
import { define } from "@/http/state.ts";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";

/** A rule of alerts. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state } = ctx;
    const rule = await state.alertRules.find(ctx.params.id);
    if (!rule) throw new HttpError(404, missingRuleText());
    state.title = rule.setting.name;
    const done = ctx.url.searchParams.get("done") === "saved" ? text`Rule saved.` : "";
    return page(await ruleView(state, rule.setting.condition.kind, rule, { done }));
  },
  async POST(ctx) {
    const { state } = ctx;
    const rule = await state.alertRules.find(ctx.params.id);
    if (!rule) throw new HttpError(404, missingRuleText());
    const { kind } = rule.setting.condition;
    const receivers = await state.alertReceivers.list();
    const changed = await state.alertRules.change(
      rule,
      enteredRule(kind, state.input),
      (transaction, after) =>
        audit(
          state,
          "alert_rule_changed",
          { id: after.id, name: after.setting.name },
          ruleDetails(after, receivers),
          transaction,
        ),
    );
    if (!changed.ok) {
      const status = STATUS_CODE.UnprocessableEntity;
      if (wantsJson(ctx.req)) return refuse(status, "invalid", changed.message);
      state.title = rule.setting.name;
      const sent = { fields: state.input, refusal: changed };
      return page(await ruleView(state, kind, rule, sent), { status });
    }
    if (!changed.rule) throw new HttpError(404, missingRuleText());
    return ctx.redirect(href(`/admin/settings/alerts/rules/${rule.id}?done=saved`), 303);
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <RulePage csrfToken={state.csrfToken} view={data} />
));
