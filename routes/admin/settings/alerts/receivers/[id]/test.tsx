import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { ReceiverPage } from "@/components/alert/Receivers.tsx";
import {
  missingReceiverText,
  receiverDetails,
  receiverView,
  testsText,
  testView,
} from "@/http/alerts_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { define } from "@/http/state.ts";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { inLanguage } from "@/server/language/languages.ts";

/** Sends a test to a receiver, and shows what it answers. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href(`/admin/settings/alerts/receivers/${ctx.params.id}`), 303),
  async POST(ctx) {
    const { state } = ctx;
    const receiver = await state.alertReceivers.find(ctx.params.id);
    if (!receiver) throw new HttpError(404, missingReceiverText());
    const wait = state.alertTestLimit.take(state.session?.user.id ?? "", Date.now());
    if (wait > 0) {
      const status = STATUS_CODE.TooManyRequests;
      if (wantsJson(ctx.req)) return refuse(status, "rate_limited", testsText(wait));
      state.title = receiver.name;
      const refusal = { field: "url", message: testsText(wait) };
      const headers = { "retry-after": String(wait) };
      return page(receiverView(receiver.kind, receiver, { refusal }), { status, headers });
    }
    const { service: _, ...place } = receiverDetails(receiver);
    await audit(state, "alert_tested", receiver, place);
    const [{ alert }] = state.counted;
    const message = alert.testMessage(alert.state?.setting ?? { users: 10, direction: "up" });
    // Receivers have one language, whoever tests them.
    const attempt = await inLanguage(
      undefined,
      () => state.alertReceivers.test(receiver, message),
    );
    const test = testView(attempt);
    if (wantsJson(ctx.req)) return Response.json(test);
    state.title = receiver.name;
    return page(receiverView(receiver.kind, receiver, { test }));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ReceiverPage csrfToken={state.csrfToken} view={data} />
));
