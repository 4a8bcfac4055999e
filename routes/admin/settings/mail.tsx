import { STATUS_CODE } from "@std/http/status";
import { HttpError, page } from "fresh";
import { audit } from "@/server/audit/audit.ts";
import { mailTestConfirmation } from "@/components/settings/MailCard.tsx";
import { ServerPage } from "@/components/settings/ServerPage.tsx";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { refuse, wantsJson } from "@/http/rejection.ts";
import { serverView } from "@/http/settings_view.ts";
import { define } from "@/http/state.ts";
import { href } from "@/shared/address.ts";
import { testMail } from "@/server/mail/mail_texts.ts";
import { countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { inLanguageOf } from "@/server/language/languages.ts";

/** Sends a test email to the reader, and shows whether the mail server took it. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(href("/admin/settings/server"), 303),
  async POST(ctx) {
    const { state } = ctx;
    const { mailer, session } = state;
    if (!mailer || !session) throw new HttpError(404, text`No mail server is set.`);
    const { id, email } = session.user;
    const confirmation = mailTestConfirmation(email);
    const back = "/admin/settings/server#mail";
    const question = await requireConfirmation(ctx, confirmation, { fields: [], back });
    if (question) return question;
    const wait = state.mailTestLimit.take(id, Date.now());
    if (wait > 0) {
      const status = STATUS_CODE.TooManyRequests;
      const reason = text`Too many tests. Try again in ${countText(wait, "second")}.`;
      const headers = { "retry-after": String(wait) };
      if (wantsJson(ctx.req)) return refuse(status, "rate_limited", reason);
      const view = await serverView(state, { ok: false, reason });
      return page(view, { status, headers });
    }
    await audit(state, "mail_tested", null);
    const place = { to: email, appUrl: state.config.appUrl };
    const mail = inLanguageOf(session.user, () => testMail(place));
    const sent = await mailer.send(mail, { attempts: 1 });
    const outcome = sent.ok ? sent : { ok: sent.ok, reason: sent.reason };
    if (wantsJson(ctx.req)) return Response.json(outcome);
    return page(await serverView(state, outcome));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ServerPage csrfToken={state.csrfToken} view={data} />
));
