import { z } from "zod";
import type { Setting } from "./setting.ts";
import { isLoopback } from "./schemas.ts";

/** Where and how emails are handed over. */
export interface SmtpServer {
  host: string;
  port: number;
  /**
   * `from_start`: the connection begins with TLS; `starttls`: it changes to TLS before anything is sent, or
   * nothing is; `off`: everyone on the way can read and change what is sent.
   */
  tls: "from_start" | "starttls" | "off";
  /** Undefined: the server takes emails without. */
  login?: { user: string; password: string };
}

/** Whom emails are from. */
export interface Sender {
  /** Empty for none. */
  name: string;
  address: string;
}

/** How emails are sent. */
export interface MailConfig {
  smtp: SmtpServer;
  from: Sender;
}

const smtpServer = z.string().transform(readSmtpServer).refine(
  (server): server is SmtpServer => server !== null,
  "smtp://USER:PASSWORD@HOST:PORT, or smtps:// with TLS from the start; special characters of " +
    "user and password as %-codes; ?tls=off only for a server that you reach safely",
);

function readSmtpServer(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || text.length > 2_048) return null;
  if (!/^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(url.hostname) || !/^\/?$/.test(url.pathname)) return null;
  const tls = tlsOf(url);
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (tls === null || user === null || password === null || url.hash !== "") return null;
  if ((user === "") !== (password === "")) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || (tls === "from_start" ? 465 : 587),
    tls,
    ...user !== "" && { login: { user, password } },
  };
}

function tlsOf({ protocol, hostname, search }: URL): SmtpServer["tls"] | null {
  if (protocol === "smtps:") return search === "" ? "from_start" : null;
  if (search === "?tls=starttls") return "starttls";
  if (search === "?tls=off") return "off";
  // A mail server of this machine has seldom a certificate that can be checked.
  return search === "" ? isLoopback(hostname) ? "off" : "starttls" : null;
}

/** A part of a URL as it is meant; null when its codes are none, or hide a control character. */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

const senderForm =
  /^(?:(?<name>[^<>"\p{C}]{1,100}?)\s*<(?<inner>[^<>\s]+)>|(?<address>[^<>\s]+))$/u;

const sender = z.string().transform((text): Sender | null => {
  const { name = "", inner, address = inner } = text.match(senderForm)?.groups ?? {};
  return isAddress(address) ? { name, address } : null;
}).refine(
  (from): from is Sender => from !== null,
  "rollcall@example.com or Rollcall <rollcall@example.com>",
);

function isAddress(text: unknown): text is string {
  return z.email().max(254).safeParse(text).success;
}

/** How emails are sent. */
export const mailSettings = {
  SMTP_URL: {
    group: "Email",
    schema: smtpServer.optional(),
    secret: true,
    example: "smtp://rollcall:password@smtp.example.com:587",
    about: "The mail server that takes emails: `smtp://USER:PASSWORD@HOST:PORT` changes to TLS " +
      "(STARTTLS) before it sends anything, `smtps://` begins with it. Without it, no email is " +
      "sent, and links are shown to be passed on: [Email](email.md).",
  },
  MAIL_FROM: {
    group: "Email",
    schema: sender.optional(),
    example: "Rollcall <rollcall@example.com>",
    about: "The sender of emails. Needed with `SMTP_URL`.",
  },
} satisfies Record<string, Setting>;

/** The settings of emails. */
interface Settings {
  SMTP_URL?: SmtpServer;
  MAIL_FROM?: Sender;
}

/** One line for the setting of emails that is given without the other. */
export function mailProblems({ SMTP_URL, MAIL_FROM }: Settings): string[] {
  if ((SMTP_URL === undefined) === (MAIL_FROM === undefined)) return [];
  return MAIL_FROM === undefined
    ? ["MAIL_FROM: not given, but SMTP_URL is; expected an address such as rollcall@example.com"]
    : ["SMTP_URL: not given, but MAIL_FROM is; expected both or none"];
}

/** How emails are sent with valid settings; undefined when they are not. */
export function toMail({ SMTP_URL: smtp, MAIL_FROM: from }: Settings): MailConfig | undefined {
  return smtp && from && { smtp, from };
}
