import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { ReceiverPage } from "@/components/alert/Receivers.tsx";
import {
  missingReceiverText,
  receiverDetails,
  receiverInput,
  receiverView,
} from "@/http/alerts_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { outcomeOf } from "@/http/request.ts";
import { define } from "@/http/state.ts";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  added: keyText("Receiver added. Send it a test to see that it works."),
  saved: keyText("Receiver saved."),
};

/** A receiver of alerts. */
export const handler = define.handlers({
  async GET(ctx) {
    const receiver = await ctx.state.alertReceivers.find(ctx.params.id);
    if (!receiver) throw new HttpError(404, missingReceiverText());
    ctx.state.title = receiver.name;
    return page(
      receiverView(receiver.kind, receiver, { done: longText(outcomeOf(ctx.url, outcomes) ?? "") }),
    );
  },
  async POST(ctx) {
    const { state } = ctx;
    const receiver = await state.alertReceivers.find(ctx.params.id);
    if (!receiver) throw new HttpError(404, missingReceiverText());
    const input = { ...receiverInput(state.input), kind: receiver.kind };
    const changed = await state.alertReceivers.change(
      receiver,
      input,
      (transaction, after) =>
        audit(state, "alert_receiver_changed", after, receiverDetails(after), transaction),
    );
    if (!changed.ok) {
      const status = STATUS_CODE.UnprocessableEntity;
      if (wantsJson(ctx.req)) return refuse(status, "invalid", changed.message);
      state.title = receiver.name;
      return page(receiverView(receiver.kind, receiver, { input, refusal: changed }), { status });
    }
    if (!changed.receiver) throw new HttpError(404, missingReceiverText());
    return ctx.redirect(href(`/admin/settings/alerts/receivers/${receiver.id}?done=saved`), 303);
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ReceiverPage csrfToken={state.csrfToken} view={data} />
));
