import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { audit } from "../../../../audit/audit.ts";
import { href } from "../../../../shared/address.ts";
import { SettingsPage } from "../../../../components/settings/SettingsPage.tsx";
import { define } from "../../../../state.ts";
import { alertInputOf, enteredSetting } from "../../../../http/alert_input.ts";
import { refuse, wantsJson } from "../../../../http/refusal.ts";
import type { AlertSetting } from "../../../../online/alert/alert.ts";
import { settingsView } from "../../../../http/settings_view.ts";

/** Changes the alert. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const input = alertInputOf(state.input);
    const change = await state.thresholdAlert.change(
      enteredSetting(input),
      (queries, setting) => audit(state, "alert_changed", null, detailsOf(setting), queries),
    );
    if (change.ok) return ctx.redirect(href("/admin/settings?done=alert"), 303);
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, "invalid", change.message);
    state.title = "Settings";
    return page(await settingsView(state, { alert: { input, refusal: change } }), { status });
  },
});

/** The details for the audit log. The whole webhook URL can contain a secret, so only its origin is kept. */
function detailsOf({ enabled, users, direction, holdSeconds, webhookUrl }: AlertSetting) {
  const webhook = webhookUrl === undefined ? null : new URL(webhookUrl).origin;
  return { enabled, users, direction, holdSeconds, webhook };
}

export default define.page<typeof handler>(({ data, state }) => (
  <SettingsPage csrfToken={state.csrfToken} view={data} />
));
