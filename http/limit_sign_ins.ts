import { deviceIdOf } from "@/server/accounts/device.ts";
import { typedEmail } from "@/server/accounts/input.ts";
import { readCookie } from "./cookies.ts";
import { briefAnswer } from "./brief_answer.ts";
import { BusyError } from "@/server/net/busy_error.ts";
import { ConcurrencyLimit } from "@/server/net/concurrency_limit.ts";
import { rateLimitKey } from "@/server/net/rate_limit_key.ts";
import { pathOf } from "@/shared/address.ts";
import type { Services } from "@/server/services.ts";
import { define, type State } from "./state.ts";
import { isSafe } from "./input.ts";

/** The routes where strangers can have a password hashed, as `ctx.route` names them. */
const routes = new Set(["/sign-in", "/setup", "/invite/:token", "/reset-password/:token"]);

/** Below the limits of hashes at the same time: what is refused there has cost far more. */
const retryAfterSeconds = 5;
const strangers = new ConcurrencyLimit({ max: 30, maxPerClient: 12, retryAfterSeconds });
const knownDevices = new ConcurrencyLimit({ max: 12, maxPerClient: 4, retryAfterSeconds });

/**
 * Refuses sign-ins of unknown browsers at once while there is no place for them. It comes early, as hundreds at
 * once take a second to get as far as {@link limitSignIns}, and takes no place: those are for forms that are there.
 */
export function refuseFullSignIns({ config }: Pick<Services, "config">) {
  return define.middleware((ctx) => {
    const { req, state } = ctx;
    const isRefused = isLimited(ctx) && !strangers.hasRoom(rateLimitKey(state.clientAddress)) &&
      readCookie(req.headers, config, "device") === undefined;
    return isRefused ? briefAnswer(req, new BusyError(retryAfterSeconds))! : ctx.next();
  });
}

/**
 * Refuses sign-ins beyond those that can be worked on soon. It comes after the body, which a client can hold
 * back, and before all that looks at the database.
 *
 * Browsers that have signed in to the account before have places of their own, which strangers cannot take.
 *
 * @throws {BusyError} when there is no place.
 */
export const limitSignIns = define.middleware((ctx) => {
  const { req, state } = ctx;
  if (!isLimited(ctx)) return ctx.next();
  const account = accountOfDevice(state, req.headers);
  return account === null
    ? strangers.run(rateLimitKey(state.clientAddress), async () => await ctx.next())
    : knownDevices.run(account, async () => await ctx.next());
});

function isLimited({ req, route }: { req: Request; route: string | null }): boolean {
  return !isSafe(req.method) && route !== null && routes.has(pathOf({ pathname: route }));
}

/** The email of the account that the browser has signed in to before, if it is the one that was entered. */
function accountOfDevice({ appSecret, config, input }: State, headers: Headers): string | null {
  const email = typedEmail(input.email);
  if (email === null) return null;
  const device = readCookie(headers, config, "device");
  return deviceIdOf(appSecret, email, device) === null ? null : email;
}
