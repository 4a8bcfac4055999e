import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { RulePage } from "@/components/alert/Rules.tsx";
import { countedChannel } from "@/http/counted_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { enteredRule, ruleDetails, ruleInput, ruleKindOf, ruleView } from "@/http/rules_view.ts";
import { define } from "@/http/state.ts";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { ruleKinds } from "@/shared/alert.ts";
import { onlineKey } from "@/shared/counted.ts";
import { mostAlertRules } from "@/shared/limits.ts";
import { text } from "@/shared/language.ts";

/** The form for a new rule of a kind, and what it sends. */
export const handler = define.handlers({
  async GET(ctx) {
    const kind = ruleKindOf(ctx.url.searchParams.get("kind"));
    if (!kind) return ctx.redirect(href("/admin/settings/alerts"), 303);
    ctx.state.title = text`Add a rule: ${ruleKinds()[kind]}`;
    return page(await ruleView(ctx.state, kind, undefined));
  },
  async POST(ctx) {
    const { state } = ctx;
    const fields = state.input;
    const kind = ruleKindOf(String(fields.kind ?? ""));
    if (!kind) throw new HttpError(422, text`Choose what the rule is about.`);
    const { key } = countedChannel(state, ruleInput(fields).channel || onlineKey);
    const receivers = await state.alertReceivers.list();
    const made = await state.alertRules.create(
      key,
      enteredRule(kind, fields),
      (transaction, rule) =>
        audit(
          state,
          "alert_rule_added",
          { id: rule.id, name: rule.setting.name },
          ruleDetails(rule, receivers),
          transaction,
        ),
    );
    if (made.ok && made.rule) return ctx.redirect(href("/admin/settings/alerts?done=rule"), 303);
    const status = STATUS_CODE.UnprocessableEntity;
    const tooMany = text`You've reached ${mostAlertRules} rules. Delete one first.`;
    const refusal = made.ok ? { field: "name", message: tooMany } : made;
    if (wantsJson(ctx.req)) {
      return refuse(status, made.ok ? "too_many" : "invalid", refusal.message);
    }
    state.title = text`Add a rule: ${ruleKinds()[kind]}`;
    return page(await ruleView(state, kind, undefined, { fields, refusal }), { status });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <RulePage csrfToken={state.csrfToken} view={data} />
));
