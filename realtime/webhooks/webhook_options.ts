import { type AppSettings, takesEvent, type Webhook, type WebhookPart } from "../app_config.ts";
import type { LogEntry } from "../options.ts";
import type { Clock } from "../timing/clock.ts";
import type { OutboxStore } from "./outbox.ts";
import type { SendWebhook } from "./webhook_sender.ts";
import type { WebhookCounts } from "./webhooks.ts";
import { createHash } from "node:crypto";
import { isPrivate, memberOptionsKey } from "../protocol/member.ts";
import type { ServerEvent } from "../events/server_events.ts";

/** When webhooks are sent, and how much waits for them. Times are in milliseconds. */
export interface WebhookLimits {
  /** How long after a disconnection its client may return unnoticed. Default 3,000. */
  returnMs: number;
  /**
   * The same for a disconnection that the stop of the server caused, from the start of its successor.
   * Default 20,000, because pusher-js waits 15 seconds after an attempt that failed.
   */
  restartReturnMs: number;
  /** Departures that wait for a return; with a further one the oldest is sent. Default 100,000. */
  maxPendingDepartures: number;
  /** How long events are collected for a request. Default 50. */
  batchMs: number;
  /** Events of one request. Default 100. */
  maxBatchEvents: number;
  /** Events of one request, in bytes, unless a single one is larger. Default 65,536. */
  maxBatchBytes: number;
  /** Events that wait for one webhook, nearly all in the store; further ones are dropped. Default 1,000,000. */
  maxQueuedEvents: number;
  /** Events that wait for one webhook, in bytes; further ones are dropped. Default 134,217,728. */
  maxQueuedBytes: number;
  /**
   * Events that wait for one webhook and are not in the store yet. Further ones are dropped, unless they
   * come from a log, which is not read on until there is room. Default 100,000.
   */
  maxUnsavedEvents: number;
  /** The same in bytes. Default 16,777,216. */
  maxUnsavedBytes: number;
  /**
   * The part of these four that events of public channels may take, which anyone can cause, from 0 to 1.
   * Default 0.5.
   */
  publicShare: number;
  /** How long a receiver may take to answer. Default 4,000. */
  answerMs: number;
  /** The longest wait before the first retry; it doubles with each failure. Default 1,000. */
  firstRetryMs: number;
  /** The longest wait before any retry. Default 30,000. */
  lastRetryMs: number;
  /** How long the delivery of an event is tried while the receiver fails. Default 300,000. */
  keepMs: number;
  /** An event that is not delivered within this time is written to the store. Default 1,000. */
  saveMs: number;
}

/** The limits of webhooks that set none. */
export const defaultWebhookLimits: WebhookLimits = {
  returnMs: 3_000,
  restartReturnMs: 20_000,
  maxPendingDepartures: 100_000,
  batchMs: 50,
  maxBatchEvents: 100,
  maxBatchBytes: 65_536,
  maxQueuedEvents: 1_000_000,
  maxQueuedBytes: 134_217_728,
  maxUnsavedEvents: 100_000,
  maxUnsavedBytes: 16_777_216,
  publicShare: 0.5,
  answerMs: 4_000,
  firstRetryMs: 1_000,
  lastRetryMs: 30_000,
  keepMs: 300_000,
  saveMs: 1_000,
};

/** The options of webhooks; all but the store and the apps have a default. */
export interface WebhooksOptions {
  store: OutboxStore;
  /** The app of an id as it is now, if it is served. */
  appOf: (id: string) => AppSettings | undefined;
  /** The leave grace of the server, in milliseconds. Default 0. */
  presenceGraceMs?: number;
  limits?: Partial<WebhookLimits>;
  log?: (entry: LogEntry) => void;
  clock?: Clock;
  /** Milliseconds since 1970. */
  date?: () => number;
  /** From 0 to 1, 1 excluded. */
  random?: () => number;
  send?: SendWebhook;
}

/** {@link WebhooksOptions} with a value for each. */
export interface DeliveriesOptions extends Required<Omit<WebhooksOptions, "limits">> {
  limits: WebhookLimits;
  counts: WebhookCounts;
}

/** When an event happened, and what its log waits for. */
export interface EventPlace {
  /** In milliseconds since 1970. */
  readonly at: number;
  /**
   * For an event of a log, which keeps it until this is called: when it is delivered, dropped or in the store, or no
   * webhook receives it. It is not called after a stop: the successor reads the log.
   */
  readonly secured?: () => void;
}

/**
 * The JSON text of an event, in Pusher's form and with its own time. Data other than a string is sent as its JSON
 * text.
 *
 * @param at when it happened, in milliseconds since 1970.
 * @param include what a webhook asks for besides.
 */
export function webhookEvent(
  event: ServerEvent,
  at: number,
  include: readonly WebhookPart[] = [],
): string {
  const more = include.length > 0 ? partsOf(event, at, include) : undefined;
  return JSON.stringify({ ...fieldsOf(event), ...more, time_ms: at });
}

/** What a webhook asked for; of a join or leave, as far as it is known. */
function partsOf(
  event: ServerEvent,
  at: number,
  include: readonly WebhookPart[],
): Record<string, unknown> | undefined {
  if (event.name !== "member_added" && event.name !== "member_removed") return undefined;
  const { info, joinedAt, options } = event.member ?? {};
  const { detail, name, url } = options ?? {};
  const isRemoved = event.name === "member_removed";
  const hasName = (name ?? detail ?? url) !== undefined;
  return {
    ...include.includes("details") && {
      user_info: info === undefined || isPrivate(event.member) ? undefined : JSON.parse(info),
      joined_at: joinedAt,
      ...isRemoved && { seconds: secondsBetween(joinedAt, at), reason: event.reason },
    },
    ...include.includes("names") && hasName && { [memberOptionsKey]: { name, detail, url } },
  };
}

/** Of two servers, the clock of one may be behind. */
function secondsBetween(from: number | undefined, to: number): number | undefined {
  return from === undefined ? undefined : Math.max(0, Math.round((to - from) / 1_000));
}

function fieldsOf(event: ServerEvent): Record<string, unknown> {
  const { name, channel } = event;
  switch (event.name) {
    case "member_added":
    case "member_removed":
      return { name, channel, user_id: event.userId };
    case "member_updated": {
      const { member, userId } = event;
      const info = isPrivate(member) ? undefined : JSON.parse(member.info);
      return { name, channel, user_id: userId, user_info: info };
    }
    case "client_event": {
      const { event: clientEvent, data, socketId, userId } = event;
      const text = typeof data === "string" ? data : JSON.stringify(data ?? null);
      return {
        name,
        channel,
        event: clientEvent,
        data: text,
        socket_id: socketId,
        user_id: userId,
      };
    }
    case "subscription_count":
      return { name, channel, subscription_count: event.count };
    default:
      return { name, channel };
  }
}

/** Whether a webhook receives an event. */
export function receives(webhook: Webhook, { channel, name }: ServerEvent): boolean {
  const { startsWith = "", endsWith = "" } = webhook.filter ?? {};
  return takesEvent(webhook, name) && channel.startsWith(startsWith) && channel.endsWith(endsWith);
}

const digests = new WeakMap<Webhook, string>();

/** Identifies a webhook by a digest of its address, because the address may contain a secret. */
export function webhookDigest(webhook: Webhook): string {
  const cached = digests.get(webhook);
  if (cached !== undefined) return cached;
  const digest = createHash("sha256").update(webhook.url).digest("base64url");
  digests.set(webhook, digest);
  return digest;
}
