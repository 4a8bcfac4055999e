import { z } from "zod";
import { type IpNetwork, parseNetwork } from "../net/client_address.ts";
import { type Webhook, webhookEventNames, webhookParts } from "@/realtime/app_config.ts";
import { isQuietPattern, maxQuietChannels } from "@/realtime/channels/reported_pages.ts";

/**
 * The kinds of values that settings have, as zod schemas. They read text from the environment; the
 * message of each fault completes the sentence "expected …".
 *
 * @module
 */

const commaSeparated = z.string()
  .transform((value) => value.split(",").map((entry) => entry.trim()));

/** The first parts of the paths that this server itself answers, apart from `app`. */
const ownNames = [
  "_fresh",
  "account",
  "admin",
  "apps",
  "broadcasting",
  "demo",
  "docs",
  "embed",
  "invite",
  "metrics",
  "reset-password",
  "setup",
  "sign-in",
  "sign-out",
  "site",
  "up",
  "wallboard",
];

/** A text of a form. The fault of another type, which only JSON can have, mentions quotes. */
function formed(form: RegExp, expected: string) {
  return z.string(`a text in quotes: ${expected}`).regex(form, expected);
}

/** A whole number within bounds. */
export function integer(low: number, high: number) {
  const allowed = wholeNumber(low, high);
  return z.string().regex(/^\d{1,15}$/, allowed).transform(Number)
    .refine((value) => value >= low && value <= high, allowed);
}

/** The message for a number that is not whole or out of bounds. */
export function wholeNumber(low: number, high: number): string {
  return `a whole number from ${low} to ${high}`;
}

/** The name of a time zone. */
export const timeZone = z.string().refine((zone) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone === "UTC" || zone.includes("/");
  } catch {
    return false;
  }
}, "the name of a time zone, such as Europe/Berlin");

/** A boolean in any of its common spellings. */
export const flag = z.string().toLowerCase().refine(
  (value) => ["true", "false", "1", "0", "yes", "no", "on", "off"].includes(value),
  "true or false",
).transform((value) => ["true", "1", "yes", "on"].includes(value));

/**
 * The public address. Its path has no slash at the end, unless that is the whole path. A path that
 * begins like one of Rollcall's own is refused: behind a proxy that strips the prefix, the two would be
 * indistinguishable.
 */
export const webAddress = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) &&
    /^(\/[\w.~-]+)*\/?$/.test(url.pathname) &&
    !/[?#]/.test(value) && url.username === "" && url.password === "";
}, "an http:// or https:// address, with at most a path of letters, digits or ._~-").refine(
  (value) => !ownNames.includes(URL.parse(value)?.pathname.split("/")[1] ?? ""),
  `a path that does not begin like Rollcall's own: ${ownNames.join(", ")}`,
).transform((value) => {
  const url = new URL(value);
  url.pathname = url.pathname.replace(/\/$/, "");
  return url;
});

/** An address to listen on; brackets around one of IPv6 are taken off. */
export const listenAddress = z.string()
  .regex(/^([0-9A-Za-z.:-]+|\[[0-9A-Fa-f:.]+\])$/, "an address to listen on")
  .transform((value) => value.replace(/^\[|\]$/g, ""));

/** The host of an external server. */
export const hostName = z.string().regex(
  /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)$/,
  "a host name or address, without scheme, port or path",
);

/** Whether the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Whether a text is an origin as browsers send it, or `*` for any. */
export function isOrigin(text: string): boolean {
  return text === "*" || URL.parse(text)?.origin === text;
}

/** Whether a text is a host name, or one with `*.` before it for all hosts below it. */
export function isHostPattern(text: string): boolean {
  return /^(\*\.)?[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text);
}

/** A comma-separated list of origins. */
export const origins = commaSeparated.refine(
  (list) => list.every(isOrigin),
  "* or origins such as https://example.com, separated by commas, without a path",
);

/** A comma-separated list of addresses and networks. A network of all addresses is refused. */
export const networks = commaSeparated.transform((list) => list.map(parseNetwork)).refine(
  (list): list is IpNetwork[] => list.every((network) => network !== null && network[1] > 0),
  "addresses or networks such as 127.0.0.1, ::1 or 10.0.0.0/8, separated by commas",
);

/** What a path takes without escapes. `.` and `..` are no names but ways in a path. */
const appName = formed(
  /^(?!\.{1,2}$)[\w.~-]{1,255}$/,
  "1 to 255 letters, digits, _, -, . or ~",
);

/** The names of channels with quiet members, which a list has as texts. */
export const quietPattern = z.string("a text in quotes").refine(
  isQuietPattern,
  "names of presence channels, in which one * may stand for any characters",
);

/** A comma-separated list of such names. */
export const quietPatterns = commaSeparated.pipe(
  z.array(quietPattern).max(maxQuietChannels, `at most ${maxQuietChannels} names of channels`),
);

/** The id of an app, part of the paths of the HTTP API. */
export const appId = appName;

/** The key of an app, part of the addresses of WebSockets. It is public, so it may be short. */
export const appKey = appName;

/** In secrets of public examples, in lower case and without other characters than letters and digits. */
const exampleSecret =
  /changeme|changethis|replaceme|replacethis|your(pusher|reverb|soketi|app)|yoursecret|secretofyourown|placeholder|supersecret|password|^1234567890|^(my|secret|test|local|dev|key|app|id|laravel|herd|pusher|reverb|soketi)+\d*$/;

const howToMakeOne = "`openssl rand -hex 32` makes one";

/** The secret of an app. */
export const appSecret = formed(/^[^]{16,}$/, `at least 16 characters: ${howToMakeOne}`).refine(
  (value) => !exampleSecret.test(value.toLowerCase().replace(/[^a-z0-9]/g, "")),
  `a secret of your own, as this one is from public examples: ${howToMakeOne}`,
);

/** The URL of a webhook. */
export const webhookAddress = z.string("a text in quotes: an http:// or https:// address").refine(
  isWebhookAddress,
  "an http:// or https:// address of at most 2048 characters, without user name and fragment",
);

/** A comma-separated list of webhook URLs. */
export const webhookAddresses = commaSeparated.refine(
  (list) => list.every(isWebhookAddress),
  "http:// or https:// addresses, separated by commas, without user name and fragment",
).transform((list) => list.map((url): Webhook => ({ url })));

/** A comma-separated list of the events that webhooks receive. */
export const webhookEvents = commaSeparated.pipe(
  z.array(z.enum(webhookEventNames, `${webhookEventNames.join(", ")}, or some of these`)),
);

/** What a webhook can ask for. */
export const webhookPart = z.enum(webhookParts, `one of ${webhookParts.join(", ")}`);

/** A comma-separated list of what webhooks ask for. */
export const webhookInclude = commaSeparated.pipe(
  z.array(z.enum(webhookParts, `${webhookParts.join(", ")}, or one of these`)),
);

/** Headers that say how a request is sent: the sender sets them. */
const connectionHeaders =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

const headerName = formed(
  /^[\w!#$%&'*+.^`|~-]{1,100}$/,
  "a name of a header, with letters, digits and hyphens",
).transform((name) => name.toLowerCase()).refine(
  (name) => !connectionHeaders.test(name),
  "a header that does not belong to the connection",
);

/** Headers that a webhook is sent with, with names in lower case. */
export const webhookHeaders = z.record(
  headerName,
  formed(/^[\t\x20-\x7e\x80-\xff]{0,4096}$/, "a text of at most 4096 Latin characters in one line"),
  {
    error: (issue) => issue.code === "invalid_key" ? issue.issues[0].message : "headers in braces",
  },
).refine((headers) => Object.keys(headers).length <= 20, "at most 20 headers");

function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && text.length <= 2_048 &&
    url.username === "" && url.password === "" && url.hash === "";
}
