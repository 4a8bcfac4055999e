import { randomBytes } from "node:crypto";
import { z } from "zod";
import { sign } from "../accounts/signature.ts";
import { isSameText } from "../realtime/protocol/constant_time.ts";

/**
 * Whoever knows the secret of an installation asks a server whether it is that installation, and what
 * it sees of the request. Both question and answer are signed: a stranger learns nothing, and no other
 * server can pass for this one.
 *
 * @module
 */

/** Where the question is asked, below the public address. */
export const selfRequestPath = "/broadcasting/self-test";

/** The header of the cookie that is sent along, to see whether it arrives. */
export const testCookie = "rollcall_self_test=1";

const questionPattern = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** What the server sees of a request. */
const sightingSchema = z.object({
  /** Of the process: several behind one address differ in it. */
  process: z.string().max(64),
  /** The server's time, in ms since 1970. */
  time: z.number(),
  /** The other end of the server's connection; no port where it has none. */
  peer: z.object({ address: z.string().max(100), port: z.number().nullable() }),
  /** Whether that end is a proxy of `TRUSTED_PROXIES`. */
  isPeerTrusted: z.boolean(),
  /** Where the server believes that the request comes from. */
  client: z.string().max(100),
  /** The entries of `X-Forwarded-For`. */
  forwardedFor: z.array(z.string()),
  /** The headers that proxies write, by name. */
  proxyHeaders: z.array(z.string()),
  host: z.string().max(300),
  hasCookie: z.boolean(),
  hasOrigin: z.boolean(),
});

/** What the server sees of a request. */
export type Sighting = z.infer<typeof sightingSchema>;

const answerSchema = z.object({ sighting: z.string().max(10_000), proof: z.string() });

/** A new question, for the query of {@link selfRequestPath}. */
export function newSelfRequest(secret: string): string {
  const nonce = randomBytes(16).toString("base64url");
  return `${nonce}.${sign(secret, "self-test question", nonce)}`;
}

/** Whether a question is one of this installation. */
export function isSelfRequest(secret: string, question: string | null): question is string {
  const [, nonce, signature] = questionPattern.exec(question ?? "") ?? [];
  return nonce !== undefined && isSameText(signature, sign(secret, "self-test question", nonce));
}

/** The answer to a question that {@link isSelfRequest} has let pass. */
export function answerTo(secret: string, question: string, sighting: Sighting): object {
  const text = JSON.stringify(sighting);
  return { sighting: text, proof: sign(secret, "self-test answer", question, text) };
}

/** What a server saw; null when the answer is not one of this installation to this question. */
export function readAnswer(secret: string, question: string, body: string): Sighting | null {
  const answer = answerSchema.safeParse(parsed(body));
  if (!answer.success) return null;
  const { sighting, proof } = answer.data;
  if (!isSameText(proof, sign(secret, "self-test answer", question, sighting))) return null;
  const read = sightingSchema.safeParse(parsed(sighting));
  return read.success ? read.data : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
