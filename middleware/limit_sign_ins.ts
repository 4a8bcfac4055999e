import { briefAnswer } from "../http/brief_answer.ts";
import { ConcurrencyLimit } from "../network/concurrency_limit.ts";
import { rateLimitKey } from "../network/rate_limit_key.ts";
import { pathOf } from "../shared/address.ts";
import { define } from "../state.ts";
import { isSafe } from "./input.ts";

/** Where strangers can have a password hashed. */
const paths = /^\/(sign-in$|setup$|invite\/|reset-password\/)/;

/** Below the limit of hashes at the same time: what is refused there has cost far more. */
const signIns = new ConcurrencyLimit({ max: 30, maxPerClient: 12, retryAfterSeconds: 5 });

/**
 * Refuses sign-ins beyond those that can be worked on soon. It comes early: hundreds at once take a
 * second to get as far as the limit of hashes.
 */
export const limitSignIns = define.middleware(async (ctx) => {
  if (isSafe(ctx.req.method) || !paths.test(pathOf(ctx.url))) return await ctx.next();
  try {
    return await signIns.run(rateLimitKey(ctx.state.clientAddress), () => ctx.next());
  } catch (error) {
    const answer = briefAnswer(ctx.req, error);
    if (!answer) throw error;
    return answer;
  }
});
