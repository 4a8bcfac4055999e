import { randomUUID } from "node:crypto";
import type { MailConfig, SmtpServer } from "../config/mail_settings.ts";
import type { Mail } from "./mail.ts";

/** How an attempt to send an email ended. `reason` is a sentence for admins; it can have the address. */
export type MailOutcome =
  | { ok: true }
  | {
    ok: false;
    reason: string;
    /** Whether another attempt may succeed. */
    isTemporary: boolean;
    /** The code of the failure, which names no one. */
    code: string;
  };

/** An email that waits, with what stays the same over its attempts. */
export interface PreparedMail extends Omit<Mail, "id" | "answers"> {
  /** By which receivers know it again when it comes twice. */
  messageId: string;
  /** The `messageId` of the email before it, in whose thread it is shown. */
  inReplyTo?: string;
  references?: string;
}

/** Makes one attempt. It never rejects. */
export type Deliver = (mail: PreparedMail, signal: AbortSignal) => Promise<MailOutcome>;

/** How long each step of an attempt may take, in ms: some servers let unknown clients wait. */
const stepMs = 15_000;

/** The most characters of an answer that are shown. */
const shownCharacters = 300;

/** An email with an id of its own, unless it has one. */
export function prepared(
  { id = randomUUID(), answers, ...mail }: Mail,
  { from: { address } }: MailConfig,
): PreparedMail {
  const messageId = (id: string) => `<${id}@${address.split("@")[1]}>`;
  const before = answers === undefined ? undefined : messageId(answers);
  return {
    ...mail,
    messageId: messageId(id),
    ...before !== undefined && { inReplyTo: before, references: before },
  };
}

/**
 * Hands emails to a mail server. The library is loaded with the first email, so that a server without mail
 * does without. A connection has one email, and files and URLs in emails are never read.
 */
export function smtpDelivery({ smtp, from }: MailConfig): Deliver {
  return async (mail, signal) => {
    try {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(transportOf(smtp));
      const { to, ...parts } = mail;
      await transport.sendMail({
        ...parts,
        // As objects, so that no part is read as a list of addresses.
        from,
        to: { name: "", address: to },
        // Answers such as “I am on holiday” are of no use (https://www.rfc-editor.org/rfc/rfc3834).
        headers: { "Auto-Submitted": "auto-generated" },
        signal,
      });
      return { ok: true };
    } catch (error) {
      return failureOf(error, smtp, signal);
    }
  };
}

/** The options of the library for a mail server. */
function transportOf({ host, port, tls, login }: SmtpServer) {
  return {
    host,
    port,
    secure: tls === "from_start",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "off",
    ...login && { auth: { user: login.user, pass: login.password } },
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    maxResponseSize: 65_536,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What the library tells of a failure. */
interface SmtpError {
  /** One of the library's, such as `EAUTH`. */
  code?: string;
  /** Of the server's answer, such as 451. */
  responseCode?: number;
  response?: string;
  message?: string;
}

/** Failures without an answer that no further attempt mends. */
const lasting = new Set(["EAUTH", "ECONFIG", "EENVELOPE", "ENOAUTH", "ETLS"]);

/** The outcome of an attempt that failed. It has neither the user's password nor its encoded form. */
export function failureOf(
  error: unknown,
  smtp: SmtpServer,
  signal: AbortSignal,
): MailOutcome & { ok: false } {
  const { code = "", responseCode, response = "", message = "" } = error as SmtpError;
  const answer = shown(response || message, smtp);
  const isRefused = responseCode !== undefined && responseCode >= 400;
  return {
    ok: false,
    reason: signal.aborted
      ? `${placeOf(smtp)} took too long.`
      : sentenceOf(code, isRefused, answer, smtp),
    isTemporary: isRefused ? responseCode < 500 && code !== "EAUTH" : !lasting.has(code),
    code: isRefused ? `${code} ${responseCode}` : code || "unknown",
  };
}

function sentenceOf(code: string, isRefused: boolean, answer: string, smtp: SmtpServer): string {
  const place = placeOf(smtp);
  if (code === "EAUTH") return `${place} refused the user and password of SMTP_URL: ${answer}`;
  if (code === "ETLS") return `No TLS with ${place}: ${answer}`;
  if (code === "EDNS") return `The name ${smtp.host} could not be looked up.`;
  if (code === "ETIMEDOUT") return `${place} did not answer in time.`;
  if (isRefused && code === "EENVELOPE") return `${place} refused the address: ${answer}`;
  if (isRefused) return `${place} refused the email: ${answer}`;
  return `The connection to ${place} failed: ${answer}`;
}

function placeOf({ host, port }: SmtpServer): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A text of the mail server as it can be shown: in one line, cut, without the login. */
function shown(text: string, { login }: SmtpServer): string {
  const secrets = login
    ? [login.password, `\0${login.user}\0${login.password}`].flatMap((secret) => [
      secret,
      new TextEncoder().encode(secret).toBase64(),
    ])
    : [];
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, "•••"), text);
  const line = hidden.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return [...line].slice(0, shownCharacters).join("");
}
