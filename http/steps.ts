import { movedDocs } from "./moved_docs.ts";
import { clientAddress } from "@/server/net/client_address.ts";
import { logOf } from "@/server/observability/logging.ts";
import type { Services } from "@/server/services.ts";
import { define, type State } from "./state.ts";
import { href, pathOf } from "@/shared/address.ts";
import { routeClass } from "@/server/observability/metrics.ts";
import { deviceIdOf } from "@/server/accounts/sign_in.ts";
import { typedEmail } from "@/server/accounts/account_fields.ts";
import { readCookie, signInPath, writeCookie } from "./session_cookies.ts";
import { briefAnswer, refuse, wantsJson } from "./rejection.ts";
import { FairTurns } from "@/server/net/fair_turns.ts";
import { BusyError, ConcurrencyLimit, rateLimitKey } from "@/server/net/window_limits.ts";
import { isSafe } from "./input.ts";
import { embedOf } from "@/shared/wallboard.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import type { Context } from "fresh";
import { guestCookie, newGuest } from "@/server/accounts/guest.ts";
import { isObserver } from "./counted_view.ts";
import { isWallboardRequest } from "@/server/wallboard/wallboard_links.ts";
import { guestVisitor, resolveVisitor } from "./visitor.ts";
import { isBelow } from "@/components/page/navigation.ts";
import { type Language, text } from "@/shared/language.ts";
import {
  inLanguage,
  isOffered,
  languages,
  preferredLanguage,
} from "@/server/language/languages.ts";

/** Sets `ctx.state.clientAddress`, see {@link clientAddress}. */
export function findClientAddress(services: Services) {
  return define.middleware((ctx) => {
    ctx.state.clientAddress = addressOf(services, ctx.req, ctx.info.remoteAddr);
    return ctx.next();
  });
}

/** The client's address, see {@link clientAddress}; warns once of a proxy that is not trusted. */
export function addressOf(
  { config: { trustedProxies }, untrustedProxy }: Services,
  { headers }: Request,
  remote: Deno.Addr,
): string {
  const peer = peerOf(remote);
  if (untrustedProxy.notice(peer, headers, trustedProxies)) {
    logOf("http").warn(
      "A request came through a proxy that is not in TRUSTED_PROXIES: its clients count as one address",
      { peer, setting: "TRUSTED_PROXIES" },
    );
  }
  return clientAddress(peer, headers.get("x-forwarded-for"), trustedProxies);
}

const turns = new FairTurns();

/**
 * Has requests that come all at once begin in turns, see {@link FairTurns}. It comes
 * before all that costs; sockets have limits of their own.
 */
export const takeTurns = define.middleware((ctx) => {
  const turn = turns.take(rateLimitKey(ctx.state.clientAddress));
  return turn === undefined ? ctx.next() : turn.then(() => ctx.next());
});

/** The address of the other end of a connection. */
export function peerOf(remote: Deno.Addr): string {
  return "hostname" in remote ? remote.hostname : "unix";
}

/** Counts every other request and its duration, also when it fails. Must be the first middleware. */
export function countRequests({ metrics, httpApi }: Services) {
  const isApi = (path: string) => httpApi.handles(path);
  return define.middleware(async (ctx) => {
    const start = performance.now();
    let status = 500;
    try {
      const response = await ctx.next();
      status = response.status;
      return response;
    } finally {
      metrics.http.answered(routeClass(pathOf(ctx.url), isApi), status, performance.now() - start);
    }
  });
}

/** Paths of earlier versions, which bookmarks and links may still have, or where programs look, and what they lead to. */
const movedPaths: ReadonlyMap<string, string> = new Map([
  ["/admin/log", "/admin/activity"],
  ["/admin/log/attendance.csv", "/admin/activity/activity.csv"],
  ["/admin/log/audit", "/admin/activity/admins"],
  ["/admin/audit", "/admin/activity/admins"],
  ["/admin/online/comings", "/admin/online/activity"],
  ["/llms.txt", "/docs/llms.txt"],
]);

/** Folders that moved with all that is below them. */
const movedFolders: ReadonlyMap<string, string> = new Map([
  ["/admin/connect", "/admin/settings/connect"],
  ["/admin/users", "/admin/settings/team"],
]);

/**
 * Redirects a request for a path that moved, with its query and, so that forms of open pages still work, with its
 * method and body (RFC 9110, 15.4.9: 308).
 */
export const redirectMovedPaths = define.middleware((ctx) => {
  const path = movedPath(pathOf(ctx.url));
  return path === undefined ? ctx.next() : ctx.redirect(href(path) + ctx.url.search, 308);
});

/** What replaced a path; undefined for one that did not move. */
function movedPath(path: string): string | undefined {
  const folder = /^\/admin\/[^/]+/.exec(path)?.[0] ?? "";
  const movedTo = movedFolders.get(folder);
  const page = /^\/docs\/([^/]+)$/.exec(path)?.[1];
  if (page !== undefined) return movedDocs.get(page);
  return movedTo === undefined ? movedPaths.get(path) : movedTo + path.slice(folder.length);
}

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
export function refuseFullSignIns({ config }: Services) {
  return define.middleware((ctx) => {
    const { req, state } = ctx;
    const isRefused = isLimited(ctx) && !strangers.hasRoom(rateLimitKey(state.clientAddress)) &&
      readCookie(req.headers, config, "device") === undefined;
    return isRefused ? briefAnswer(req, new BusyError(retryAfterSeconds))! : ctx.next();
  });
}

/**
 * Refuses more sign-ins than can be worked on soon. It comes after the body, which a client can hold
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

/**
 * Answers requests for embeds, without session and cookies. With an external Pusher server the count is
 * not known, and none exists.
 */
export function answerEmbeds({ config, embeds }: Services) {
  const isCounted = !usesExternalServer(config.pusher);
  return define.middleware((ctx) => {
    const embed = isCounted ? embedOf(pathOf(ctx.url)) : null;
    if (!embed || !["GET", "HEAD"].includes(ctx.req.method)) return ctx.next();
    return embeds.answer(ctx.req, embed, ctx.state.clientAddress);
  });
}

/** What is in English for everyone: answers to programs, and the documents. */
const inEnglish = ["/api", "/docs"];

function isInEnglish(path: string): boolean {
  return inEnglish.some((part) => isBelow(path, part));
}

/** Pages without an account, whose address can name the language: a screen has no reader who would set it. */
const withOwnLanguage = /^\/(?:wallboard|embed)\//;

/** Answers a request in the language that its browser prefers, or that its address names. */
export const speakLanguage = define.middleware((ctx) =>
  inLanguage(languageOf(ctx.req, ctx.url), () => ctx.next())
);

/** The language of an answer; `undefined` is English. */
function languageOf({ headers }: Request, url: URL): Language | undefined {
  const path = pathOf(url);
  if (isInEnglish(path)) return undefined;
  const named = withOwnLanguage.test(path) ? url.searchParams.get("lang") : null;
  return preferredLanguage(named ?? headers.get("accept-language"));
}

/** Goes on in the language that the signed-in user has chosen; without a choice, or with one of another version, as before. */
export const speakChosenLanguage = define.middleware((ctx) => {
  const chosen = ctx.state.session?.user.language;
  if (!chosen || !isOffered(chosen) || isInEnglish(pathOf(ctx.url))) return ctx.next();
  return inLanguage(languages.get(chosen), () => ctx.next());
});

/** Lets only signed-in users pass; see {@link askToSignIn}. */
export const requireSession = define.middleware((ctx) =>
  ctx.state.session ? ctx.next() : askToSignIn(ctx)
);

/** Redirects a page to sign-in and back; a program gets 403. */
export function askToSignIn(ctx: Context<State>): Response {
  if (wantsJson(ctx.req)) return refuse(403, "not_signed_in", text`Sign in required.`);
  return ctx.redirect(href(signInPath(ctx.url)), 303);
}

/**
 * Sets the session and the visitor of a request; a wallboard has none. Where guests are admitted, a new
 * guest gets a signed cookie with its id.
 */
export const identifyVisitor = define.middleware(async (ctx) => {
  if (isWallboardRequest(ctx.req, ctx.url)) return await ctx.next();
  const { config, appSecret } = ctx.state;
  Object.assign(ctx.state, await resolveVisitor(ctx.state, ctx.req.headers));
  ctx.state.isObserver = isObserver(ctx.state, ctx.req.headers);
  const { session, isBlocked } = ctx.state;
  if (session || isBlocked || !config.admitGuests) return await ctx.next();
  const isKnown = ctx.state.visitor !== null;
  const visitor = ctx.state.visitor ??= guestVisitor(newGuest().id);
  const response = await ctx.next();
  if (!isKnown) writeCookie(response.headers, config, "guest", guestCookie(appSecret, visitor));
  return response;
});
