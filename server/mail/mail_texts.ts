import { accountLinkHours } from "@/shared/limits.ts";
import type { Mail } from "./mail.ts";
import { text } from "@/shared/language.ts";

/** Whom an email goes to, and the public address that its links begin with. */
export interface MailPlace {
  to: string;
  appUrl: URL;
}

/** An email that shows that emails arrive. */
export function testMail({ to, appUrl }: MailPlace): Mail {
  return {
    to,
    subject: text`A test email from Rollcall`,
    text: paragraphs(
      text`You asked Rollcall for a test email. It has arrived.`,
      text`Links in emails begin with ${linkAddress(appUrl, "")}`,
    ),
  };
}

/** An invitation, with the token of its link and the name of who invites. */
export function invitationMail(
  { to, appUrl }: MailPlace,
  { token, inviter }: { token: string; inviter: string },
): Mail {
  return {
    to,
    subject: text`${inviter} invites you to Rollcall`,
    text: paragraphs(
      text`${inviter} invites you to Rollcall, which shows who is online.`,
      text`Open this link to choose a name and a password:`,
      linkAddress(appUrl, `/invite/${token}`),
      text`It works once, for ${accountLinkHours} hours. If you don't expect it, do nothing: there is no account for you yet.`,
    ),
  };
}

/** A link to set a new password, by its token. @param asker the admin who made it; null: anyone asked. */
export function resetMail(
  { to, appUrl }: MailPlace,
  { token, asker }: { token: string; asker: string | null },
): Mail {
  return {
    to,
    subject: text`Set a new password for Rollcall`,
    text: paragraphs(
      asker === null
        ? text`Someone, probably you, asked for a new password for your account in Rollcall.`
        : text`${asker} sends you a link to set a new password for your account in Rollcall.`,
      text`Open this link to set it:`,
      linkAddress(appUrl, `/reset-password/${token}`),
      text`It works once, for ${accountLinkHours} hours, and signs you out everywhere else. If you don't want a new password, do nothing: the current one keeps working.`,
    ),
  };
}

/** What an email says of an alert. */
interface AlertInWords {
  /** `Alert`, or another heading. */
  title: string;
  /** What was told in one sentence. */
  sentence: string;
  /** The same with what is added when it is late. */
  whole: string;
  /** The path of the live view that it is about. */
  path: string;
}

/** An email that tells an alert, or its end. */
export function alertMail(
  { to, appUrl }: MailPlace,
  { title, sentence, whole, path }: AlertInWords,
): Mail {
  const settings = linkAddress(appUrl, "/admin/settings/alerts");
  return {
    to,
    subject: text`${title}: ${sentence.replace(/\.$/, "")}`,
    text: paragraphs(
      whole,
      text`Who is online now: ${linkAddress(appUrl, path)}`,
      text`An admin of Rollcall has entered your address. Who is notified of alerts is set here:` +
        `\n${settings}`,
    ),
  };
}

function paragraphs(...texts: string[]): string {
  return `${texts.join("\n\n")}\n`;
}

/** The address of a page in emails: below `APP_URL`, whatever host a request names that asks for one. */
function linkAddress(appUrl: URL, path: string): string {
  return appUrl.href.replace(/\/$/, "") + path;
}
