import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { sign } from "../accounts/digest.ts";
import { isSameText } from "@/realtime/protocol/signature.ts";

/** How long a person has at the provider, in seconds. */
export const attemptSeconds = 10 * 60;

const purpose = "provider sign-in";
const longestSealed = 4_000;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  startedAt: z.number(),
});

/** A sign-in that the browser has begun: what the provider's answer has to fit. */
export type SignInAttempt = z.infer<typeof attemptSchema>;

/**
 * Begins an attempt with new random values.
 *
 * @param returnTo the path to open afterwards; one that is too long for a cookie is left out.
 * @param now in ms since 1970.
 */
export function newAttempt(returnTo: string, now: number): SignInAttempt {
  const random = () => randomBytes(32).toString("base64url");
  const path = returnTo.length > 1_500 ? "/" : returnTo;
  return {
    state: random(),
    nonce: random(),
    verifier: random(),
    returnTo: path,
    startedAt: now,
  };
}

/** The attempt as a cookie has it, so that any server of the installation reads the answer. It is signed. */
export function sealAttempt(secret: string, attempt: SignInAttempt): string {
  const content = Buffer.from(JSON.stringify(attempt)).toString("base64url");
  return `${content}.${sign(secret, purpose, content)}`;
}

/** The attempt in a cookie; null when it is none of {@link sealAttempt}, or too old. */
export function readAttempt(
  secret: string,
  sealed: string | undefined,
  now: number,
): SignInAttempt | null {
  if (sealed === undefined || sealed.length > longestSealed) return null;
  const [content, signature = ""] = sealed.split(".");
  if (!isSameText(signature, sign(secret, purpose, content))) return null;
  const attempt = attemptSchema.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
  const age = now - attempt.startedAt;
  return Math.abs(age) > attemptSeconds * 1_000 ? null : attempt;
}
