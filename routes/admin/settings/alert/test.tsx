import { STATUS_CODE } from "@std/http/status";
import { page } from "fresh";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import type { AlertRejection } from "@/components/alert/AlertCard.tsx";
import { AlertsPage } from "@/components/alert/AlertsPage.tsx";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import { define, type State } from "@/http/state.ts";
import { countedChannel } from "@/http/counted_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import type { ReceiverTest } from "@/components/alert/Receivers.tsx";
import {
  alertInputOf,
  alertsView,
  enteredSetting,
  testsText,
  testView,
} from "@/http/alerts_view.ts";
import { receiverOfUrl } from "@/server/alert/stored_receivers.ts";
import { readAlertSetting } from "@/server/alert/stored_alert.ts";
import { text } from "@/shared/language.ts";
import { inLanguage } from "@/server/language/languages.ts";

/** Sends a test to the webhook URL in the form, saved or not, and shows what the receiver answers. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/alerts"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const input = alertInputOf(state.input);
    const channel = countedChannel(state, state.input.channel);
    const sent = await sendTest(state, channel, enteredSetting(input));
    const headers: HeadersInit = "retryAfterSeconds" in sent
      ? { "retry-after": String(sent.retryAfterSeconds) }
      : {};
    if (wantsJson(ctx.req)) {
      if ("outcome" in sent) return Response.json(outcomeOf(sent.outcome));
      return refuse(sent.status, sent.reason, sent.refusal.message);
    }
    const status = "outcome" in sent ? STATUS_CODE.OK : sent.status;
    return page(await alertsView(state, { channel, alert: { input, ...sent } }), {
      status,
      headers,
    });
  },
});

/** What programs have always read of a test. */
function outcomeOf({ status, milliseconds, beginning, reason }: ReceiverTest) {
  return status === undefined
    ? { ok: false, reason }
    : { ok: true, status, milliseconds, beginning };
}

/** Why no test was sent. */
interface NotSent {
  refusal: AlertRejection;
  status: number;
  reason: "invalid" | "rate_limited";
  retryAfterSeconds?: number;
}

async function sendTest(
  state: State,
  { alert }: CountedChannel,
  entered: unknown,
): Promise<{ outcome: ReceiverTest } | NotSent> {
  const setting = readAlertSetting(entered);
  if (!setting.ok) return invalid(setting);
  const { webhookUrl } = setting.setting;
  if (webhookUrl === undefined) {
    return invalid({ field: "webhookUrl", message: text`Enter a URL to send a test to.` });
  }
  const wait = state.alertTestLimit.take(state.session?.user.id ?? "", Date.now());
  if (wait > 0) return limited(wait);
  await audit(state, "alert_tested", null, { webhook: new URL(webhookUrl).origin });
  const message = alert.testMessage(setting.setting);
  // Receivers have one language, whoever tests them.
  const attempt = await inLanguage(
    undefined,
    () => state.alertReceivers.try(receiverOfUrl(webhookUrl), message),
  );
  return { outcome: testView(attempt) };
}

function invalid(refusal: AlertRejection): NotSent {
  return { refusal, status: STATUS_CODE.UnprocessableEntity, reason: "invalid" };
}

function limited(retryAfterSeconds: number): NotSent {
  return {
    refusal: { field: "webhookUrl", message: testsText(retryAfterSeconds) },
    status: STATUS_CODE.TooManyRequests,
    reason: "rate_limited",
    retryAfterSeconds,
  };
}

export default define.page<typeof handler>(({ data, state }) => (
  <AlertsPage csrfToken={state.csrfToken} view={data} />
));
