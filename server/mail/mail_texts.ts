import type { Mail } from "./mail.ts";

/** An email that shows that emails arrive. */
export function testMail(to: string, appUrl: URL): Mail {
  return {
    to,
    subject: "A test email of Rollcall",
    text: lines(
      "You asked Rollcall for a test email. It has arrived.",
      `Links in emails begin with ${addressOf(appUrl, "")}`,
    ),
  };
}

/** Paragraphs of a text. */
function lines(...paragraphs: string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
}

/** The address of a page in emails: `APP_URL`, whatever the request says that asked for one. */
function addressOf(appUrl: URL, path: string): string {
  return appUrl.href.replace(/\/$/, "") + path;
}
