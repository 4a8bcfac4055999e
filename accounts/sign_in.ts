import { forgetAttempts, isKnownPeer, returnAttempt, takeAttempt } from "./sign_in_limit.ts";
import type { Authentication } from "./authentication.ts";
import type { Database } from "../database/database.ts";
import { rateLimitKey } from "../network/rate_limit_key.ts";
import { credentialsSchema } from "./input.ts";

/** The outcome of signing in: complete Set-Cookie values, or the reason of a refusal. */
export type SignIn =
  | { ok: true; cookies: string[] }
  | { ok: false; reason: "wrong_credentials" | "disabled" | "invalid" }
  | { ok: false; reason: "rate_limited"; retryAfterSeconds: number };

/** Signs in, within the limits of the peer and of the account. */
export async function signIn(
  { queries }: Database,
  authentication: Authentication,
  input: { email: string; password: string },
  peerAddress: string,
): Promise<SignIn> {
  const parsed = credentialsSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: "invalid" };
  const { email, password } = parsed.data;
  const peer = rateLimitKey(peerAddress);
  const isLimited = !await isKnownPeer(queries, email, peer);
  const retryAfterSeconds = isLimited ? await takeAttempt(queries, email) : null;
  if (retryAfterSeconds !== null) return { ok: false, reason: "rate_limited", retryAfterSeconds };
  const attempt = await authentication.signIn(email, password, peer);
  switch (attempt.outcome) {
    case "signed_in":
      await forgetAttempts(queries, email);
      return { ok: true, cookies: attempt.cookies };
    case "rate_limited":
      if (isLimited) await returnAttempt(queries, email);
      return { ok: false, reason: "rate_limited", retryAfterSeconds: attempt.retryAfterSeconds };
    default:
      return { ok: false, reason: attempt.outcome };
  }
}
