import { z } from "zod";
import { countText, numberText, usersAndGuestsText } from "@/shared/text.ts";
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { type IpNetwork, isPublicAddress, parseAddress } from "../net/client_address.ts";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { type SendWebhook, webhookHeaders } from "@/realtime/webhooks/webhook_sender.ts";
import type { OwnWebhookEvent } from "@/realtime/webhooks/webhook_options.ts";
import type { AlertPhase, Crossing, Threshold } from "@/shared/alert.ts";

/** The part of the alert's events that a message tells. */
const alertEvents = z.object({
  events: z.array(z.object({
    name: z.string(),
    channel: z.string(),
    direction: z.enum(["up", "down"]),
    threshold: z.number(),
    users: z.number(),
    guests: z.number().optional(),
    test: z.boolean().optional(),
  })),
});

type AlertEvent = z.infer<typeof alertEvents>["events"][number];

/**
 * What a URL receives of a webhook: an incoming webhook of Slack a message, as it refuses any other body
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks); others the body as it is.
 */
export function bodyFor(url: string, body: string): string {
  if (URL.parse(url)?.hostname !== "hooks.slack.com") return body;
  const { events } = alertEvents.parse(JSON.parse(body));
  return JSON.stringify({ text: events.map(sentenceOf).join("\n") });
}

function sentenceOf(event: AlertEvent): string {
  const { name, channel, direction, threshold, users, guests, test } = event;
  const isActive = name === names.onlyActive.active || name === names.onlyActive.normal;
  const isNormal = name === names.all.normal || name === names.onlyActive.normal;
  const kind = test ? "Test" : isNormal ? "Back to normal" : "Alert";
  const limit = `${direction === "up" ? "at least" : "fewer than"} ${countText(threshold, "user")}`;
  const state = isActive ? "active" : "online";
  if (guests) {
    return `${kind}: ${numberText(users)} ${state} (${usersAndGuestsText(users, guests)}) ` +
      `in ${channel} (alert: ${limit}, guests included).`;
  }
  return `${kind}: ${countText(users, "user")} ${state} in ${channel} (alert: ${limit}).`;
}

/** How long a name may take to be looked up when the alert is set, in ms. */
const lookupMs = 2_000;

/** How long a receiver may take to answer, as at other times, in ms. */
const testAnswerMs = 4_000;

/** Characters of an answer that are shown. */
const shownCharacters = 300;

/** Controls, and marks that turn the direction of other text: all but lines and tabs. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** What a receiver answered to a test, or why there is no answer. */
export type TestOutcome =
  | { ok: true; status: number; milliseconds: number; beginning: string }
  | { ok: false; reason: string };

/** Sends a test to a webhook. */
type SendTest = (url: string, app: AppCredentials, body: string) => Promise<TestOutcome>;

/** Why a webhook with an address that is not public is refused. */
export const privateAddressText =
  "This address is not public. ALERT_WEBHOOK_NETWORKS can allow its network.";

/**
 * Whether a webhook that an admin enters may be sent to this URL: whether one of its addresses is public or
 * allowed. A name that cannot be looked up now is accepted, since each request checks it again.
 */
export async function mayReceiveAlert(
  url: string,
  allowed: readonly IpNetwork[],
): Promise<boolean> {
  const host = hostOf(url);
  if (host === null) return true;
  const addresses = parseAddress(host) ? [host] : await lookedUp(host);
  return addresses.length === 0 || addresses.some((address) => isAllowed(address, allowed));
}

/**
 * Sends webhooks to public and allowed addresses only; see {@link request}.
 *
 * @returns a function that rejects when no address of the URL may be connected to.
 */
export function postToPublicAddress(allowed: readonly IpNetwork[]): SendWebhook {
  return async (url, app, body, signal) => {
    const response = await request(allowed, { url, app, body, signal });
    response.destroy();
    return response.statusCode ?? 0;
  };
}

/**
 * Sends a webhook like {@link postToPublicAddress}, and reads the beginning of the answer.
 *
 * @returns a function that never rejects.
 */
export function testPublicAddress(allowed: readonly IpNetwork[]): SendTest {
  return async (url, app, body) => {
    const start = performance.now();
    const signal = AbortSignal.timeout(testAnswerMs);
    try {
      const response = await request(allowed, { url, app, body, signal });
      const milliseconds = Math.round(performance.now() - start);
      return {
        ok: true,
        status: response.statusCode ?? 0,
        milliseconds,
        beginning: await beginningOf(response),
      };
    } catch (error) {
      return { ok: false, reason: reasonOf(error, signal) };
    }
  };
}

/** What a webhook is sent with. */
interface WebhookRequest {
  url: string;
  app: AppCredentials;
  body: string;
  signal: AbortSignal;
}

/**
 * Posts a webhook. The address that is checked is the one that is connected to, so that a name cannot change
 * in between. Follows no redirect.
 */
function request(
  allowed: readonly IpNetwork[],
  { url, app, signal, ...webhook }: WebhookRequest,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    if (host === null || (parseAddress(host) && !isAllowed(host, allowed))) {
      return reject(new Error(privateAddressText));
    }
    const body = bodyFor(url, webhook.body);
    const options: http.RequestOptions = {
      method: "POST",
      headers: { ...webhookHeaders(app, body), "content-length": Buffer.byteLength(body) },
      agent: false,
      signal,
      lookup: lookupAmong(allowed),
    };
    const { request } = url.startsWith("https:") ? https : http;
    request(url, options, resolve).on("error", reject).end(body);
  });
}

/** The first characters of an answer; what has arrived when it breaks off or takes too long. */
async function beginningOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= 4 * shownCharacters) break;
    }
  } catch {
    // It broke off, or took too long.
  } finally {
    response.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, 4 * shownCharacters).toString("utf8");
  return [...text.replace(invisible, "")].slice(0, shownCharacters).join("");
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `No answer within ${testAnswerMs / 1_000} seconds.`;
  return error instanceof Error ? error.message : String(error);
}

/** Looks a name up as usual, and leaves out addresses that may not be connected to. */
function lookupAmong(allowed: readonly IpNetwork[]): LookupFunction {
  return (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = (found ?? []).filter(({ address }) => isAllowed(address, allowed));
      const [first] = addresses;
      if (error || !first) return callback(error ?? new Error(privateAddressText), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function lookedUp(host: string): Promise<string[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<[]>((resolve) => timer = setTimeout(() => resolve([]), lookupMs));
  try {
    const addresses = dns.promises.lookup(host, { all: true }).catch(() => []);
    return (await Promise.race([addresses, timeout])).map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}

function isAllowed(address: string, allowed: readonly IpNetwork[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isPublicAddress(parsed, allowed);
}

/** The host of a URL, an IPv6 address without its brackets; null when it is no URL. */
function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? null;
}

/** The events of the alert's webhook. Receivers know the first as an alarm, so the end has another name. */
const names: Record<"all" | "onlyActive", Record<AlertPhase, string>> = {
  all: { active: "users_online_threshold", normal: "users_online_normal" },
  onlyActive: { active: "users_active_threshold", normal: "users_active_normal" },
};

/** The channel whose users an alert is about. */
export interface AlertChannel {
  channel: string;
  appId: string;
  /** Whether it is of the app of Rollcall's own pages, with whose secret the webhook is signed. */
  isOwn: boolean;
}

/** What a webhook receives of a crossing. */
export function crossingEvent(
  { channel, appId, isOwn }: AlertChannel,
  { phase, direction, threshold, users, guests, onlyActive }: Omit<Crossing, "at">,
) {
  return {
    name: names[onlyActive ? "onlyActive" : "all"][phase],
    channel,
    ...!isOwn && { app: appId },
    direction,
    threshold,
    users,
    ...guests !== undefined && { guests },
  } satisfies OwnWebhookEvent;
}

/** The body of a test: what the alert sends when it begins, with a field that says that it is none. */
export function testBody(
  channel: AlertChannel,
  { direction, onlyActive, users: threshold }: Omit<Threshold, "holdSeconds">,
  { users, ...guests }: { users: number | null; guests?: number },
  at: number,
): string {
  const condition = { phase: "active" as const, direction, threshold, onlyActive };
  const event = crossingEvent(channel, { ...condition, users: users ?? 0, ...guests });
  return JSON.stringify({ time_ms: at, events: [{ ...event, test: true }] });
}
