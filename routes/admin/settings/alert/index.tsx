import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { AlertsPage } from "@/components/alert/AlertsPage.tsx";
import { define } from "@/http/state.ts";
import { alertInputOf, alertsView, enteredSetting } from "@/http/alerts_view.ts";
import { quietText } from "@/http/rules_view.ts";
import { countedChannel } from "@/http/counted_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { AlertSetting } from "@/server/alert/stored_alert.ts";

/** Changes the alert. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/alerts"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const input = alertInputOf(state.input);
    const channel = countedChannel(state, state.input.channel);
    const { webhookUrl } = input;
    const change = await channel.alert.change(
      enteredSetting(input),
      (queries, setting) =>
        audit(state, "alert_changed", null, detailsOf(setting, channel, webhookUrl), queries),
    );
    if (change.ok) return ctx.redirect(href(`/admin/settings/alerts?${queryAfter(channel)}`), 303);
    const status = STATUS_CODE.UnprocessableEntity;
    if (wantsJson(ctx.req)) return refuse(status, "invalid", change.message);
    return page(await alertsView(state, { channel, alert: { input, refusal: change } }), {
      status,
    });
  },
});

/** The query of the page of the alerts after a change, which shows the same channel again. */
function queryAfter({ key }: CountedChannel): URLSearchParams {
  return new URLSearchParams({ ...key !== onlineKey && { channel: key }, done: "alert" });
}

/** The details for the admin log. The whole webhook URL can contain a secret, so only its origin is kept. */
function detailsOf(
  { enabled, users, direction, onlyActive, holdSeconds, receivers, quiet }: AlertSetting,
  { key }: CountedChannel,
  webhookUrl: string | undefined,
) {
  const webhook = webhookUrl ? new URL(webhookUrl).origin : undefined;
  return {
    ...key !== onlineKey && { channel: key },
    enabled,
    users,
    direction,
    ...onlyActive && { onlyActive },
    holdSeconds,
    ...quiet && { quiet: quietText(quiet) },
    ...webhook ? { webhook } : { receivers: receivers?.length ?? "all" },
  };
}

export default define.page<typeof handler>(({ data, state }) => (
  <AlertsPage csrfToken={state.csrfToken} view={data} />
));
