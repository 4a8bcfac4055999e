import { createHmac } from "node:crypto";
import { isSameText } from "./constant_time.ts";

/** What an app signs with. */
export interface Signer {
  readonly key: string;
  readonly secret: string;
}

/** Whether an `auth` value was right, and if not, what a developer needs to read. */
export type Verification = { ok: true } | { ok: false; message: string };

/**
 * Signs a subscription to a private or presence channel.
 *
 * @param channelData the exact string that is returned to the client and that it subscribes with.
 * @returns the `auth` value, `KEY:hex`.
 */
export function signChannel(
  app: Signer,
  socketId: string,
  channel: string,
  channelData?: string,
): string {
  return `${app.key}:${digest(app, channelText(socketId, channel, channelData))}`;
}

/** Signs a connection's sign-in as a user; `userData` is the exact string that is returned. */
export function signUser(app: Signer, socketId: string, userData: string): string {
  return `${app.key}:${digest(app, userText(socketId, userData))}`;
}

/** Checks what {@link signChannel} made, in constant time. */
export function verifyChannel(
  app: Signer,
  auth: string,
  socketId: string,
  channel: string,
  channelData?: string,
): Verification {
  return verify(app, auth, channelText(socketId, channel, channelData));
}

/** Checks what {@link signUser} made, in constant time. */
export function verifyUser(
  app: Signer,
  auth: string,
  socketId: string,
  userData: string,
): Verification {
  return verify(app, auth, userText(socketId, userData));
}

/**
 * The text that a call of the HTTP API is signed by.
 *
 * @param parameters the query as it is signed: sorted by lower-cased name, values not escaped, without
 * `auth_signature`.
 */
export function requestText(method: string, path: string, parameters: string): string {
  return `${method.toUpperCase()}\n${path}\n${parameters}`;
}

/** Signs a call of the HTTP API by its {@link requestText}; the answer is `auth_signature`. */
export function signRequest(app: Signer, text: string): string {
  return digest(app, text);
}

/** Checks what {@link signRequest} made, in constant time. */
export function verifyRequest(app: Signer, signature: string, text: string): boolean {
  return isSameText(signature, digest(app, text));
}

/** Signs the raw body of a webhook; the answer is the header `X-Pusher-Signature`. */
export function signWebhook(app: Signer, body: string): string {
  return digest(app, body);
}

function channelText(socketId: string, channel: string, channelData?: string): string {
  const text = `${socketId}:${channel}`;
  return channelData === undefined ? text : `${text}:${channelData}`;
}

function userText(socketId: string, userData: string): string {
  return `${socketId}::user::${userData}`;
}

function verify(app: Signer, auth: string, text: string): Verification {
  const colon = auth.indexOf(":");
  const key = colon < 0 ? auth : auth.slice(0, colon);
  const signature = colon < 0 ? "" : auth.slice(colon + 1);
  if (key !== app.key) {
    return { ok: false, message: `Invalid key in subscription auth data: '${shown(key)}'` };
  }
  if (!isSameText(signature, digest(app, text))) {
    const message = `Invalid signature: Expected HMAC SHA256 hex digest of ${shown(text)}, ` +
      `but got ${shown(signature)}`;
    return { ok: false, message };
  }
  return { ok: true };
}

function digest(app: Signer, text: string): string {
  return createHmac("sha256", app.secret).update(text).digest("hex");
}

/** What a stranger sent, short enough to be sent back. */
function shown(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
