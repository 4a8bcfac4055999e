import { createHmac } from "node:crypto";
import { rateLimitKey } from "../net/window_limits.ts";
import { logOf } from "./logging.ts";
import type { Metrics, SignInOutcome } from "./metrics.ts";

const log = logOf("accounts");

/**
 * Counts and logs an attempt to sign in. The log has no email: `account` is the same in all lines about
 * one email, which only the app's secret can reveal.
 */
export function recordSignIn(
  { metrics, appSecret }: { metrics: Metrics; appSecret: string },
  outcome: SignInOutcome,
  { email, peer }: { email: string; peer: string },
): void {
  metrics.signIn(outcome);
  const account = accountOf(email.trim().toLowerCase(), appSecret);
  const fields = { account, peer: rateLimitKey(peer) };
  if (outcome === "signed_in") log.info("Signed in", fields);
  else if (outcome === "second_factor") log.info("Asked for a second factor", fields);
  else log.warn("Sign-in refused", { reason: outcome, ...fields });
}

function accountOf(email: string, secret: string): string {
  return createHmac("sha256", secret).update(JSON.stringify(["log", email])).digest("base64url")
    .slice(0, 12);
}
