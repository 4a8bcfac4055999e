import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Button, Notice } from "../page/fields.tsx";
import { docsPath } from "@/shared/docs.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";

/** What admins see of the mail server. */
export interface MailView {
  /** Whom emails are from. */
  from: string;
  /** Host and port. */
  server: string;
  isEncrypted: boolean;
  /** What links in emails begin with. */
  links: string;
  /** The reader's own address, to which a test goes. */
  recipient: string;
  /** Of this server, unless it sent an email since; the time is in ms since 1970. */
  lastFailure: { at: number; reason: string } | null;
  /** How the test ended that the reader just sent. */
  outcome?: { ok: true } | { ok: false; reason: string };
}

/** What is asked before a test email is sent. */
export function mailTestConfirmation(recipient: string): Confirmation {
  return {
    question: text`Send a test email?`,
    text: text`It goes to your own address, ${recipient}.`,
    action: text`Send test email`,
  };
}

/** Whether emails can be sent, and how to try it. */
export function MailCard({ csrfToken, view }: { csrfToken: string; view: MailView | null }) {
  if (!view) {
    return (
      <Card id="mail" title={text`Email`}>
        <p class="soft">
          {richText`Email isn't set up, so you pass on invitations and password links yourself. To have them sent, set ${(
            <code>SMTP_URL</code>
          )} and ${<code>MAIL_FROM</code>} and restart Rollcall. ${(
            <a href={href(docsPath("email", "do-it"))}>{text`How to set up email`}</a>
          )}`}
        </p>
      </Card>
    );
  }
  const { from, server, isEncrypted, links, recipient, lastFailure, outcome } = view;
  return (
    <Card id="mail" title={text`Email`}>
      <dl class="facts">
        <div>
          <dt>{text`From`}</dt>
          <dd>{from}</dd>
        </div>
        <div>
          <dt>{text`Mail server`}</dt>
          <dd>{server}, {isEncrypted ? text`with TLS` : text`without TLS`}</dd>
        </div>
        <div>
          <dt>{text`Links begin with`}</dt>
          <dd>{links}</dd>
        </div>
      </dl>
      {outcome?.ok && (
        <Notice tone="success">
          {text`The mail server took the email. Look for it at ${recipient}, in the spam folder too.`}
        </Notice>
      )}
      {outcome?.ok === false && (
        <Notice tone="error">
          {richText`The test email was not sent. ${outcome.reason} ${(
            <a href={href(docsPath("email"))}>{text`Documentation`}</a>
          )}`}
        </Notice>
      )}
      {!outcome && lastFailure && (
        <Notice tone="warning">
          {richText`On this server, the last email was not sent (${(
            <Time at={lastFailure.at} />
          )}). ${lastFailure.reason}`}
        </Notice>
      )}
      <form
        method="post"
        action={`${href("/admin/settings/mail")}#mail`}
        {...confirmAttributes(mailTestConfirmation(recipient))}
      >
        <CsrfField csrfToken={csrfToken} />
        <Button kind="quiet">{text`Send a test email`}</Button>
      </form>
    </Card>
  );
}
