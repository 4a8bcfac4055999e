/**
 * The services that can receive alerts, other than email: what a URL of theirs looks like, what they are sent, and
 * which answer means that they took it. All of it is pure; `alert_webhook.ts` sends. Sources:
 *
 * - Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * - Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook
 * - Teams: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook
 * - Mattermost: https://developers.mattermost.com/integrate/webhooks/incoming
 * - Google Chat: https://developers.google.com/workspace/chat/quickstart/webhooks
 * - Telegram: https://core.telegram.org/bots/api#sendmessage
 * - ntfy: https://docs.ntfy.sh/publish/#publish-as-json
 * - Gotify: https://gotify.net/docs/pushmsg
 *
 * @module
 */
import { z } from "zod";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { webhookHeaders } from "@/realtime/webhooks/webhook_sender.ts";
import type { HookKind } from "@/shared/alert.ts";
import { mostAlertAddresses } from "@/shared/limits.ts";
import { inLanguage } from "../language/languages.ts";
import { type AlertMessage, type AlertText, textOf, webhookBody } from "./alert_message.ts";
import { text } from "@/shared/language.ts";
import { keyText } from "@/shared/long_text.ts";

/** What an admin enters of a receiver. All but `target` can be secret. */
export interface ReceiverSettings {
  url: string;
  /** What signs in at the service. */
  token?: string;
  /** To whom at the service it goes. */
  target?: string;
}

/** A request to a service. */
export interface ServiceRequest {
  url: string;
  /** With names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** What a service answered; its text is cut. */
export interface ServiceAnswer {
  status: number;
  /** Of the header `Retry-After`. */
  retryAfter?: string;
  text: string;
}

/** What is sent, and with what it is signed. */
interface Sending extends AlertText {
  /** The same at each attempt. */
  id: string;
  message: AlertMessage;
  app: AppCredentials;
}

/** A field besides the URL. */
interface ServiceField {
  label: string;
  hint: string;
  pattern: RegExp;
  isOptional?: boolean;
}

/** How a service is called. */
export interface Service {
  /** A URL, as an example. */
  example: string;
  /** Where an admin finds it. */
  hint: string;
  /** For a form that leaves the URL empty. */
  defaultUrl?: string;
  /** Whether a URL, without user and fragment, is one of the service. */
  takes(url: URL): boolean;
  token?: ServiceField;
  target?: ServiceField;
  /** The URL of the request, its headers besides the content type, and what becomes the JSON of its body. */
  request(
    settings: ReceiverSettings,
    sending: Sending,
  ): Partial<ServiceRequest> & { json?: unknown };
  /** Whether an answer says that the service took the message. Default: any status of success. */
  isTaken?(answer: ServiceAnswer): boolean;
}

const line = ({ title, text }: AlertText) => `${title}: ${text}`;

/** How each service is called. */
export const services: Record<HookKind, Service> = {
  slack: {
    example: "https://hooks.slack.com/services/T000/B000/XXXX",
    hint: keyText("The URL of an incoming webhook."),
    takes: ({ pathname }) => /^\/services\/./.test(pathname),
    // Slack reads these three characters as the beginning and end of mentions and links, `mrkdwn` or not.
    request: (_, sending) => ({
      json: {
        text: line(sending).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
          .replaceAll(">", "&gt;"),
        mrkdwn: false,
      },
    }),
    isTaken: ({ status, text }) => status === 200 && text.trim() === "ok",
  },
  discord: {
    example: "https://discord.com/api/webhooks/000/XXXX",
    hint: keyText("Server settings → Integrations → Webhooks → Copy webhook URL."),
    takes: ({ pathname }) => /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[^/]+$/.test(pathname),
    request: (_, sending) => ({
      json: { content: escaped(line(sending), 2_000), allowed_mentions: { parse: [] } },
    }),
    isTaken: ({ status }) => status === 200 || status === 204,
  },
  teams: {
    example: "https://….logic.azure.com/workflows/…",
    hint: keyText(
      "The URL of a workflow that posts to a channel when a webhook request is received.",
    ),
    takes: ({ pathname }) => /\/workflows\/.|^\/webhookb2\/./.test(pathname),
    request: (_, sending) => ({ json: teamsMessage(sending) }),
    // A connector answers with success although its channel refused the message, and says so.
    isTaken: ({ status, text }) =>
      status === 202 || status === 200 && !/delivery failed/i.test(text),
  },
  mattermost: {
    example: "https://mattermost.example.com/hooks/XXXX",
    hint: keyText("Integrations → Incoming webhooks."),
    takes: ({ pathname }) => /\/hooks\/[^/]+$/.test(pathname),
    // A mention of a channel would notify everyone in it.
    request: (_, sending) => ({
      json: { text: escaped(line(sending), 4_000).replaceAll("@", "@\u200b") },
    }),
    isTaken: ({ status, text }) => status === 200 && text.trim() === "ok",
  },
  googleChat: {
    example: "https://chat.googleapis.com/v1/spaces/XXXX/messages?key=…&token=…",
    hint: keyText("Apps & integrations → Webhooks of a space."),
    takes: ({ pathname, searchParams }) =>
      /^\/v1\/spaces\/[^/]+\/messages$/.test(pathname) && searchParams.has("key") &&
      searchParams.has("token"),
    // Mentions and links are written in these characters, and there is no way to escape them.
    request: (_, sending) => ({
      json: { text: withoutMarks(line(sending)) },
    }),
    isTaken: hasField("name"),
  },
  telegram: {
    example: "https://api.telegram.org",
    hint: keyText("Leave it empty, unless you run a server of the Bot API."),
    defaultUrl: "https://api.telegram.org",
    takes: ({ pathname, search }) => pathname === "/" && search === "",
    token: {
      label: keyText("Bot token"),
      hint: keyText("From @BotFather, as in 123456:ABC…"),
      pattern: /^\d+:[\w-]{10,100}$/,
    },
    target: {
      label: keyText("Chat ID"),
      hint: keyText("A number, or @name of a channel."),
      pattern: /^(?:-?\d{1,20}|@\w{1,64})$/,
    },
    request: ({ url, token, target }, sending) => ({
      url: new URL(`/bot${token}/sendMessage`, url).href,
      json: {
        chat_id: target,
        // Without `parse_mode` there is no markup, but names and commands are linked, and names notified.
        text: line(sending).replace(/[@#$/](?=[\p{L}\p{N}_])/gu, "$&\u200b"),
        link_preview_options: { is_disabled: true },
      },
    }),
    isTaken: ({ status, text }) =>
      status === 200 && z.object({ ok: z.literal(true) }).safeParse(jsonOf(text)).success,
  },
  ntfy: {
    example: "https://ntfy.sh/your-topic",
    hint: keyText("The address of the topic."),
    takes: ({ pathname, search }) => /\/[\w-]{1,64}$/.test(pathname) && search === "",
    token: {
      label: keyText("Access token"),
      hint: keyText("Optional. For a topic that needs one."),
      pattern: /^[!-~]{1,200}$/,
      isOptional: true,
    },
    request: ({ url, token }, { title, text, phase }) => {
      const [, base = url, topic] = /^(.*\/)([^/]+)$/.exec(url) ?? [];
      return {
        // JSON goes to the address that topics are below: headers could not have all letters.
        url: base,
        ...token && { headers: { authorization: `Bearer ${token}` } },
        json: {
          topic,
          title: `Rollcall: ${title}`,
          message: text,
          priority: phase === "active" ? 4 : 3,
          tags: [phase === "active" ? "warning" : "white_check_mark"],
        },
      };
    },
    isTaken: hasField("id"),
  },
  gotify: {
    example: "https://gotify.example.com",
    hint: keyText("The address of the server."),
    takes: ({ search }) => search === "",
    token: {
      label: keyText("Application token"),
      hint: keyText("Apps → Create application."),
      pattern: /^[!-~]{1,200}$/,
    },
    request: ({ url, token = "" }, { title, text, phase }) => ({
      url: `${url.replace(/\/+$/, "")}/message`,
      headers: { "x-gotify-key": token },
      json: { title: `Rollcall: ${title}`, message: text, priority: phase === "active" ? 8 : 4 },
    }),
    isTaken: hasField("id"),
  },
  webhook: {
    example: "https://example.com/hook",
    hint: keyText("Receives a signed POST in the form of Pusher's webhooks."),
    takes: () => true,
    request: (_, { app, id, message }) => {
      const body = webhookBody(message);
      return { headers: { ...webhookHeaders(app, body), "x-rollcall-delivery": id }, body };
    },
  },
};

/** What an admin enters of a receiver of emails, which go to the mail server of the settings. */
export const emailService: { target: Omit<ServiceField, "pattern"> } = {
  target: {
    label: keyText("To"),
    get hint() {
      return text`One address, or up to ${mostAlertAddresses} with commas between. Each gets its own email.`;
    },
  },
};

/** The request that tells a receiver a message. @param now in ms since 1970 */
export function requestOf(
  kind: HookKind,
  settings: ReceiverSettings,
  { id, message, app }: Omit<Sending, keyof AlertText>,
  now: number,
): ServiceRequest {
  // A request in another language may have had the alert sent.
  const text = inLanguage(undefined, () => textOf(message, now));
  const sending = { id, message, app, ...text };
  const { json, headers, ...request } = services[kind].request(settings, sending);
  return {
    url: settings.url,
    body: JSON.stringify(json),
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    ...request,
  };
}

/** What came of an attempt. */
export type Outcome =
  | { state: "delivered" }
  /** Trying again can help when `isTemporary`, and not before `waitMs`. */
  | { state: "failed"; reason: string; isTemporary: boolean; waitMs?: number };

/** Statuses of a service that is overloaded or away; others say that the request is wrong. */
const temporaryStatuses = new Set([408, 425, 429]);

/** The longest wait that a service can ask for, in ms. */
const longestWaitMs = 3_600_000;

/** What an answer means. @param now in ms since 1970, for a date until which to wait */
export function outcomeOf(kind: HookKind, answer: ServiceAnswer, now: number): Outcome {
  const { status, text } = answer;
  const isSuccess = status >= 200 && status < 300;
  if (services[kind].isTaken?.(answer) ?? isSuccess) return { state: "delivered" };
  const waitMs = waitOf(answer, now);
  const beginning = text.trim();
  return {
    state: "failed",
    reason: `Status ${status}${beginning === "" ? "" : `: ${beginning}`}`,
    isTemporary: temporaryStatuses.has(status) || status >= 500 || waitMs !== undefined,
    ...waitMs !== undefined && { waitMs },
  };
}

/** Seconds that Discord and Telegram write into their answers. */
const waitSchema = z.union([
  z.object({ retry_after: z.number() }).transform(({ retry_after }) => retry_after),
  z.object({ parameters: z.object({ retry_after: z.number() }) })
    .transform(({ parameters }) => parameters.retry_after),
]);

/** For how long a service that limits requests wants none, in ms; undefined where it does not say. */
function waitOf({ status, retryAfter = "", text }: ServiceAnswer, now: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const inBody = waitSchema.safeParse(jsonOf(text));
  const date = Date.parse(retryAfter);
  const ms = inBody.success
    ? inBody.data * 1_000
    : /^\d+(?:\.\d+)?$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1_000
    : date - now;
  return Number.isFinite(ms) ? Math.min(longestWaitMs, Math.max(0, Math.ceil(ms))) : undefined;
}

/** A message of Teams. The text is no Markdown, which a name could contain. */
function teamsMessage({ title, text, phase }: AlertText) {
  const color = phase === "active" ? "Attention" : "Good";
  return {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          { type: "TextBlock", text: title, weight: "Bolder", size: "Medium", color },
          { type: "RichTextBlock", inlines: [{ type: "TextRun", text }] },
        ],
      },
    }],
  };
}

/** A text without the marks of Markdown, which names can contain, cut to a length. */
function escaped(text: string, longest: number): string {
  const short = text.length > longest / 2 ? `${text.slice(0, longest / 2 - 1)}…` : text;
  return short.toWellFormed().replace(/[\\`*_~|<>[\]()#]/g, "\\$&");
}

/** A text whose marks of Google Chat, which cannot be escaped, are letters that look like them. */
function withoutMarks(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›")
    // Within a word, an underscore marks nothing.
    .replace(
      /[*~`[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
      (mark) => String.fromCharCode(mark.charCodeAt(0) + fullWidth),
    );
}

/** How much further the wide form of an ASCII character is in Unicode. */
const fullWidth = 0xfee0;

/** Whether a service answered with JSON that has a field, and not with the page of a proxy. */
function hasField(name: string): (answer: ServiceAnswer) => boolean {
  return ({ status, text }) => {
    const json = jsonOf(text);
    return status === 200 && typeof json === "object" && json !== null && Object.hasOwn(json, name);
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
