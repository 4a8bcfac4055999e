import { z } from "zod";
import { type IpNetwork, parseNetwork } from "../network/ip_address.ts";
import type { Webhook } from "../realtime/app_config.ts";

/**
 * The kinds of values that settings have. Each reads text, as the environment has it, and its fault
 * says what is expected.
 */

const commaParted = z.string()
  .transform((value) => value.split(",").map((entry) => entry.trim()));

/** What the paths begin with that this server itself answers, besides those of sockets. */
const ownNames = [
  "_fresh",
  "admin",
  "apps",
  "broadcasting",
  "metrics",
  "setup",
  "sign-in",
  "sign-out",
  "up",
  "wallboard",
];

/** A text of a form; its fault says so when there is another type, which only JSON has. */
function formed(form: RegExp, expected: string) {
  return z.string(`a text in quotes: ${expected}`).regex(form, expected);
}

/** A number without a fraction. */
export function integer(low: number, high: number) {
  const allowed = wholeNumber(low, high);
  return z.string().regex(/^\d{1,15}$/, allowed).transform(Number)
    .refine((value) => value >= low && value <= high, allowed);
}

/** How faults call a number without a fraction. */
export function wholeNumber(low: number, high: number): string {
  return `a whole number from ${low} to ${high}`;
}

/** Yes or no, however it is spelled. */
export const flag = z.string().toLowerCase().refine(
  (value) => ["true", "false", "1", "0", "yes", "no", "on", "off"].includes(value),
  "true or false",
).transform((value) => ["true", "1", "yes", "on"].includes(value));

/**
 * Where people reach this server. Its path has no slash at the end, unless it is the whole path. One
 * that begins like a path of ours could not be told from it where a proxy takes the prefix off.
 */
export const webAddress = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) &&
    /^(\/[\w.~-]+)*\/?$/.test(url.pathname) &&
    !/[?#]/.test(value) && url.username === "" && url.password === "";
}, "an http:// or https:// address, with at most a path of letters, digits or ._~-").refine(
  (value) => !ownNames.includes(URL.parse(value)?.pathname.split("/")[1] ?? ""),
  `a path that begins otherwise than Rollcall's own: ${ownNames.join(", ")}`,
).transform((value) => {
  const url = new URL(value);
  url.pathname = url.pathname.replace(/\/$/, "");
  return url;
});

/** Where another server is. */
export const hostName = z.string().regex(
  /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)$/,
  "a host name or address, without scheme, port or path",
);

/** Whether a text is an origin as browsers send it, or `*` for any. */
export function isOrigin(text: string): boolean {
  return text === "*" || URL.parse(text)?.origin === text;
}

/** Origins with commas between them. */
export const origins = commaParted.refine(
  (list) => list.every(isOrigin),
  "* or origins such as https://example.com, parted by commas, without a path",
);

/** Addresses and networks with commas between them; not all addresses there are. */
export const networks = commaParted.transform((list) => list.map(parseNetwork)).refine(
  (list): list is IpNetwork[] => list.every((network) => network !== null && network[1] > 0),
  "addresses or networks such as 127.0.0.1, ::1 or 10.0.0.0/8, parted by commas",
);

/** Names an app in the HTTP API. */
export const appId = formed(/^[\w-]{1,64}$/, "1 to 64 letters, digits, _ or -");

/** Names an app in the addresses of sockets. */
export const appKey = formed(/^[\w-]{8,64}$/, "8 to 64 letters, digits, _ or -");

/** Secrets long enough that stand in public examples: everybody knows them. */
const wellKnown = ["your-pusher-secret", "your-pusher-app-secret", "a-long-secret-of-your-own"];

/** What an app and its server sign with. */
export const appSecret = formed(/^[^]{16,}$/, "at least 16 characters").refine(
  (value) => !wellKnown.includes(value.toLowerCase()),
  "a secret of your own: this one stands in public examples",
);

/** Where a webhook is sent to. */
export const webhookAddress = z.string("a text in quotes: an http:// or https:// address").refine(
  isWebhookAddress,
  "an http:// or https:// address of at most 2048 characters, without user name and fragment",
);

/** Where webhooks are sent to, with commas between the addresses. */
export const webhookAddresses = commaParted.refine(
  (list) => list.every(isWebhookAddress),
  "http:// or https:// addresses, parted by commas, without user name and fragment",
).transform((list) => list.map((url): Webhook => ({ url })));

function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && text.length <= 2_048 &&
    url.username === "" && url.password === "" && url.hash === "";
}
