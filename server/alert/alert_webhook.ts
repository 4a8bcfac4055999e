import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { type IpNetwork, isPublicAddress, parseAddress } from "../net/client_address.ts";
import type { ServiceAnswer, ServiceRequest } from "./receiver_kinds.ts";

/** How long a name may take to be looked up when the alert is set, in ms. */
const lookupMs = 2_000;

/** How long a receiver may take to answer, in ms. */
export const answerMs = 4_000;

/** Bytes of an answer that are read: enough to judge what services answer with. */
const readBytes = 65_536;

/** Characters of an answer that are shown. */
const shownCharacters = 300;

/** Controls, and marks that turn the direction of other text: all but lines and tabs. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** Sends a request to a service; rejects when there is no answer. */
export type SendRequest = (request: ServiceRequest, signal: AbortSignal) => Promise<ServiceAnswer>;

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
 * Sends requests to public and allowed addresses only. The address that is checked is the one that is connected to,
 * so that a name cannot change in between. Follows no redirect.
 *
 * @param isTrusted whether an operator entered a URL, which may then have any address: who enters others is an
 * admin, who can be less trusted.
 * @returns a function that rejects when no address of the URL may be connected to.
 */
export function sendToPublicAddress(
  allowed: readonly IpNetwork[],
  isTrusted: (url: string) => boolean = () => false,
): SendRequest {
  return async (request, signal) => {
    const response = await respond(request, isTrusted(request.url) ? null : allowed, signal);
    const retryAfter = response.headers["retry-after"];
    return {
      status: response.statusCode ?? 0,
      ...retryAfter !== undefined && { retryAfter },
      text: await beginningOf(response),
    };
  };
}

/** @param allowed besides public addresses; null: all */
function respond(
  { url, headers, body }: ServiceRequest,
  allowed: readonly IpNetwork[] | null,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const host = hostOf(url);
    if (host === null || allowed && parseAddress(host) && !isAllowed(host, allowed)) {
      return reject(new Error(privateAddressText));
    }
    const options: http.RequestOptions = {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal,
      ...allowed && { lookup: lookupAmong(allowed) },
    };
    const { request } = url.startsWith("https:") ? https : http;
    request(url, options, resolve).on("error", reject).end(body);
  });
}

/** The beginning of an answer; what has arrived when it breaks off or takes too long. */
async function beginningOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= readBytes) break;
    }
  } catch {
    // It broke off, or took too long.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, readBytes).toString("utf8");
}

/** What is shown of an answer: its beginning, without what cannot be seen and without secrets that it repeats. */
export function shownAnswer(text: string, secrets: readonly string[] = []): string {
  const seen = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
  return [...seen.slice(0, 4 * shownCharacters).replace(invisible, "")].slice(0, shownCharacters)
    .join("");
}

/** Why there is no answer. */
export function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `No answer within ${answerMs / 1_000} seconds.`;
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
