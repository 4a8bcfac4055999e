import { rateLimitKey } from "../network/rate_limit_key.ts";
import { sign } from "../accounts/signature.ts";
import { logOf } from "./logging.ts";
import type { Metrics, SignInOutcome } from "./metrics.ts";

const log = logOf("accounts");

/**
 * Counts and logs that somebody tried to sign in. The e-mail is not in the log: `account` tells which
 * lines are about the same one, and nobody without the app's secret can find out which that is.
 */
export function noteSignIn(
  { metrics, appSecret }: { metrics: Metrics; appSecret: string },
  outcome: SignInOutcome,
  { email, peer }: { email: string; peer: string },
): void {
  metrics.signIn(outcome);
  const account = sign(appSecret, "log", email.trim().toLowerCase()).slice(0, 12);
  const fields = { account, peer: rateLimitKey(peer) };
  if (outcome === "signed_in") log.info("Somebody signed in", fields);
  else log.warn("A sign-in was refused", { reason: outcome, ...fields });
}
