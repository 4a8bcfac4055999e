import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { isSameText } from "@/realtime/protocol/signature.ts";

/**
 * The request that an installation sends to itself through its public address, to find out whether that
 * address leads to it and what its server receives. Request and answer are signed with the
 * installation's secret: strangers learn nothing, and no other server can pass for this one.
 *
 * @module
 */

/** The path of the request, below the public address. */
export const selfRequestPath = "/broadcasting/check";

/** The cookie that the request carries, to see whether cookies arrive. */
export const selfRequestCookie = "rollcall_check=1";

const tokenPattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

const receivedSchema = z.object({
  /** Random id of the process: several processes behind one address differ in it. */
  process: z.string().max(64),
  /** Whether several processes can share the count; processes of earlier versions cannot. */
  sharesCount: z.boolean().default(false),
  /** The server's time, in ms since 1970. */
  time: z.number(),
  /** The other end of the server's connection; no port where it has none. */
  peer: z.object({ address: z.string().max(100), port: z.number().nullable() }),
  /** Whether that end is one of `TRUSTED_PROXIES`. */
  isPeerTrusted: z.boolean(),
  /** What the server takes for the client's address. */
  client: z.string().max(100),
  /** The entries of `X-Forwarded-For`. */
  forwardedFor: z.array(z.string()),
  /** The names of the headers that only proxies write. */
  proxyHeaders: z.array(z.string()),
  host: z.string().max(300),
  hasCookie: z.boolean(),
  hasOrigin: z.boolean(),
});

/** What the server received of a self-request. */
export type ReceivedRequest = z.infer<typeof receivedSchema>;

const answerSchema = z.object({ received: z.string().max(10_000), signature: z.string() });

/** A new token, for the parameter `token` of a request to {@link selfRequestPath}. */
export function newSelfRequest(secret: string): string {
  const nonce = randomBytes(16).toString("base64url");
  return `${nonce}.${sign(secret, "check request", nonce)}`;
}

/** Whether this installation made the token. */
export function isSelfRequest(secret: string, token: string | null): token is string {
  const [, nonce, signature] = tokenPattern.exec(token ?? "") ?? [];
  return nonce !== undefined && isSameText(signature, sign(secret, "check request", nonce));
}

/** The answer to a token that {@link isSelfRequest} accepts. */
export function selfRequestAnswer(
  secret: string,
  token: string,
  received: ReceivedRequest,
): object {
  const text = JSON.stringify(received);
  return { received: text, signature: sign(secret, "check answer", token, text) };
}

/**
 * Reads the body of an answer.
 *
 * @returns null when it is not this installation's answer to this token.
 */
export function readSelfRequestAnswer(
  secret: string,
  token: string,
  body: string,
): ReceivedRequest | null {
  const answer = answerSchema.safeParse(parsed(body));
  if (!answer.success) return null;
  const { received, signature } = answer.data;
  if (!isSameText(signature, sign(secret, "check answer", token, received))) return null;
  const result = receivedSchema.safeParse(parsed(received));
  return result.success ? result.data : null;
}

/** Different purposes give different signatures, so that a request is no valid answer. */
function sign(secret: string, purpose: string, ...parts: string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify([purpose, ...parts]))
    .digest("base64url");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
