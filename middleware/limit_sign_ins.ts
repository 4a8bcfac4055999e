import { deviceIdOf } from "../accounts/device.ts";
import { typedEmail } from "../accounts/input.ts";
import { readCookie } from "../http/cookies.ts";
import { ConcurrencyLimit } from "../network/concurrency_limit.ts";
import { rateLimitKey } from "../network/rate_limit_key.ts";
import { pathOf } from "../shared/address.ts";
import { define, type State } from "../state.ts";
import { isSafe } from "./input.ts";

/** The routes where strangers can have a password hashed, as `ctx.route` names them. */
const routes = new Set(["/sign-in", "/setup", "/invite/:token", "/reset-password/:token"]);

/** Below the limits of hashes at the same time: what is refused there has cost far more. */
const strangers = new ConcurrencyLimit({ max: 30, maxPerClient: 12, retryAfterSeconds: 5 });
const knownDevices = new ConcurrencyLimit({ max: 12, maxPerClient: 4, retryAfterSeconds: 5 });

/**
 * Refuses sign-ins beyond those that can be worked on soon. It comes early: hundreds at once take a second to
 * get as far as the limit of hashes. It comes after the body, which a client can hold back.
 *
 * Browsers that have signed in to the account before have places of their own, which strangers cannot take.
 *
 * @throws {BusyError} when there is no place.
 */
export const limitSignIns = define.middleware((ctx) => {
  const { req, route, state } = ctx;
  if (isSafe(req.method) || route === null || !routes.has(pathOf({ pathname: route }))) {
    return ctx.next();
  }
  const account = accountOfDevice(state, req.headers);
  return account === null
    ? strangers.run(rateLimitKey(state.clientAddress), async () => await ctx.next())
    : knownDevices.run(account, async () => await ctx.next());
});

/** The email of the account that the browser has signed in to before, if it is the one that was entered. */
function accountOfDevice({ appSecret, config, input }: State, headers: Headers): string | null {
  const email = typedEmail(input.email);
  if (email === null) return null;
  const device = readCookie(headers, config, "device");
  return deviceIdOf(appSecret, email, device) === null ? null : email;
}
