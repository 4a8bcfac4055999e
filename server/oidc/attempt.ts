import { randomBytes } from "node:crypto";
import { z } from "zod";
import { seal, unseal } from "../accounts/digest.ts";

/** How long a person has at the provider, in seconds. */
export const attemptSeconds = 10 * 60;

const purpose = "provider sign-in";

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
  return seal(secret, purpose, attempt);
}

/** The attempt in a cookie; null when it is not from {@link sealAttempt}, or too old. */
export function readAttempt(
  secret: string,
  sealed: string | undefined,
  now: number,
): SignInAttempt | null {
  const attempt = unseal(secret, purpose, attemptSchema, sealed ?? "");
  if (attempt === null) return null;
  const age = now - attempt.startedAt;
  return Math.abs(age) > attemptSeconds * 1_000 ? null : attempt;
}
