import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { type IpNetwork, parseAddress } from "../../network/ip_address.ts";
import { isPublicAddress } from "../../network/public_address.ts";
import { type SendWebhook, webhookHeaders } from "../../realtime/webhooks/webhook_request.ts";

/** How long a name may take to be looked up when the alert is set, in ms. */
const lookupMs = 2_000;

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
 * Sends webhooks to public and allowed addresses only. The address that is checked is the one that is
 * connected to, so that a name cannot change in between. Follows no redirect.
 *
 * @returns a function that rejects when no address of the URL may be connected to.
 */
export function postToPublicAddress(allowed: readonly IpNetwork[]): SendWebhook {
  return (url, app, body, signal) =>
    new Promise((resolve, reject) => {
      const host = hostOf(url);
      if (host === null || (parseAddress(host) && !isAllowed(host, allowed))) {
        return reject(new Error(privateAddressText));
      }
      const options: http.RequestOptions = {
        method: "POST",
        headers: { ...webhookHeaders(app, body), "content-length": Buffer.byteLength(body) },
        agent: false,
        signal,
        lookup: lookupAmong(allowed),
      };
      const { request } = url.startsWith("https:") ? https : http;
      request(url, options, (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      }).on("error", reject).end(body);
    });
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
    const found = dns.promises.lookup(host, { all: true }).catch(() => []);
    return (await Promise.race([found, timeout])).map(({ address }) => address);
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
