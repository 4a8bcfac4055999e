import { z } from "zod";
import { text } from "@/shared/language.ts";

/** An email to one person. */
export interface Mail {
  /** The address alone, without a name. */
  to: string;
  /** One line: what would break it becomes a space. */
  subject: string;
  text: string;
  /** The same as HTML, whole and escaped. */
  html?: string;
  /** For callers who send an email again: receivers know it by its id, in letters, digits, `-` and `_`. */
  id?: string;
  /** The id of the email before it, in whose thread it is shown. */
  answers?: string;
}

/** The longest texts of an email, in characters. */
export const longestMail = { subject: 150, text: 20_000, html: 100_000 };

/** The address of one person, as an email is sent to it. It has no character that could end a header. */
export const mailAddress = z.string().trim().max(254, { error: () => text`At most 254 characters` })
  .pipe(z.email({ error: () => text`Enter a valid email.` }));

/** Control characters but tabs and ends of lines. */
const controls = /(?![\t\n])\p{Cc}/gu;

/** What ends a line somewhere, and marks that turn the direction of what follows. */
const notInOneLine = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

const subject = z.string().transform((text) => {
  const line = text.toWellFormed().replace(notInOneLine, " ").trim();
  // Receivers decode what looks like an encoded word (https://www.rfc-editor.org/rfc/rfc2047).
  return [...line].slice(0, longestMail.subject).join("").replaceAll("=?", "= ?");
}).refine((text) => text !== "", "The subject is empty.");

function body(longest: number) {
  return z.string().max(longest, `Texts of emails have at most ${longest} characters.`)
    .transform((text) => text.toWellFormed().replace(/\r\n?/g, "\n").replace(controls, ""));
}

const id = z.string().regex(/^[\w-]{1,100}$/, "The id of the email is none.");

const mailSchema = z.object({
  to: mailAddress,
  subject,
  text: body(longestMail.text),
  html: body(longestMail.html).optional(),
  id: id.optional(),
  answers: id.optional(),
});

/** An email that can be sent, or why it cannot. No text in it can add a header or a recipient. */
export function checkedMail(
  mail: Mail,
): { ok: true; mail: Mail } | { ok: false; reason: string } {
  const parsed = mailSchema.safeParse(mail);
  if (parsed.success) return { ok: true, mail: parsed.data };
  return { ok: false, reason: parsed.error.issues[0].message };
}
