import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { ReceiverPage } from "@/components/alert/Receivers.tsx";
import { kindOf, receiverDetails, receiverInput, receiverView } from "@/http/alerts_view.ts";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { define } from "@/http/state.ts";
import { noMailerText } from "@/server/alert/alert_sender.ts";
import { tooManyReceiversText } from "@/server/alert/stored_receivers.ts";
import { audit } from "@/server/audit/audit.ts";
import { href } from "@/shared/address.ts";
import { receiverText } from "@/components/alert/Receivers.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The form for a new receiver of a service, and what it sends. */
export const handler = define.handlers({
  GET(ctx) {
    const kind = kindOf(ctx.url.searchParams.get("kind"));
    if (!kind) return ctx.redirect(href("/admin/settings/alerts"), 303);
    ctx.state.title = text`Add ${receiverText(kind)}`;
    const isUnsendable = kind === "email" && !ctx.state.mailer;
    const refusal = isUnsendable ? { field: "target", message: longText(noMailerText) } : undefined;
    return page(receiverView(kind, undefined, { refusal }));
  },
  async POST(ctx) {
    const { state } = ctx;
    const input = receiverInput(state.input);
    const kind = kindOf(input.kind);
    if (!kind) throw new HttpError(422, text`Choose a service.`);
    const made = await state.alertReceivers.create(
      input,
      state.session?.user.id ?? "",
      (transaction, receiver) =>
        audit(state, "alert_receiver_added", receiver, receiverDetails(receiver), transaction),
    );
    if (made.ok && made.receiver) {
      const path = `/admin/settings/alerts/receivers/${made.receiver.id}?done=added`;
      return ctx.redirect(href(path), 303);
    }
    const status = STATUS_CODE.UnprocessableEntity;
    const refusal = made.ok ? { field: "name", message: tooManyReceiversText() } : made;
    if (wantsJson(ctx.req)) {
      return refuse(status, made.ok ? "too_many" : "invalid", refusal.message);
    }
    state.title = text`Add ${receiverText(kind)}`;
    return page(receiverView(kind, undefined, { input, refusal }), { status });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ReceiverPage csrfToken={state.csrfToken} view={data} />
));
