import type { AuthorizedCount, Recovery } from "@/shared/recovery.ts";
import type LaravelEcho from "laravel-echo";
// @ts-types="./pusher_js.d.ts"
import Pusher, { Echo } from "./pusher_js.js";
import { currentPageHeaders, installPageHeaders, setSocketIdSource } from "./page_headers.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";

export { watchConnection } from "./connection_events.ts";
export { currentPageHeaders } from "./page_headers.ts";
// @ts-types="./pusher_js.d.ts"
export { reportActivity } from "./pusher_js.js";
export { retryDelayMs } from "./reconnection.ts";
export { isSignOut } from "./reconnection.ts";
export { keepSubscribed } from "./resubscription.ts";

type Answered = (error: Error | null, answer: unknown) => void;

/** The part of pusher-js that {@link keepAuthorizedCount} uses. */
export interface Authorizing {
  config: {
    channelAuthorizer(channel: { channelName: string; socketId: string }, answered: Answered): void;
  };
}

/** What the auth route last answered for the presence channel, with times by the page's clock. */
let authorized: { recovery: Recovery | null; isQuiet: boolean; takesActivity: boolean } = {
  recovery: null,
  isQuiet: false,
  takesActivity: false,
};

/** Keeps what the auth route answers besides signatures; pusher-js passes none of it on. */
export function keepAuthorizedCount({ config }: Authorizing): void {
  const authorize = config.channelAuthorizer;
  config.channelAuthorizer = (channel, answered) =>
    authorize(channel, (error, answer) => {
      const count = answer as AuthorizedCount | null;
      if (count && channel.channelName.startsWith("presence-")) {
        const { recovery, isQuiet = false, refusesActivity } = count;
        const known = recovery ? byPage(recovery, Date.now()) : null;
        authorized = { recovery: known, isQuiet, takesActivity: !refusesActivity };
      }
      answered(error, answer);
    });
}

/** As `byClock`, which would be a script of its own in pages: others have no use for it here. */
function byPage(recovery: Recovery, now: number): Recovery {
  const { startedAt, grewAt } = recovery;
  return { ...recovery, startedAt: startedAt + now, grewAt: grewAt + now };
}

/**
 * As what the page was last admitted to the channel of the users online: whether it is told their number
 * only, and may report that it is used, and the recovery of that number; null when it could be believed.
 */
export function authorizedCount(): Readonly<typeof authorized> {
  return authorized;
}

/** A connection that is silent for this long is pinged, in milliseconds. */
const activityTimeout = 20_000;

/** How long the pong may take, in milliseconds. */
const pongTimeout = 10_000;

let shared: LaravelEcho<"pusher"> | undefined;

/**
 * The Echo of this page, which the first call creates and connects: all islands share one connection.
 * The parameters of later calls are ignored.
 *
 * @param headersProvider returns the headers of each request to the auth routes.
 */
export function sharedEcho(
  settings: ClientSettings,
  headersProvider: () => Record<string, string> = currentPageHeaders,
): LaravelEcho<"pusher"> {
  if (shared) return shared;
  installPageHeaders();
  const echo = new Echo<"pusher">(echoOptions(settings, headersProvider));
  keepAuthorizedCount(echo.connector.pusher);
  setSocketIdSource(() => echo.socketId());
  return shared = echo;
}

/** Echo reads the token once and pusher-js asks for headers at every request: tokens change at sign-in. */
function echoOptions(settings: ClientSettings, headersProvider: () => Record<string, string>) {
  const { authEndpoint, ...connection } = settings;
  return {
    broadcaster: "pusher" as const,
    Pusher,
    ...connection,
    activityTimeout,
    pongTimeout,
    channelAuthorization: { endpoint: authEndpoint, transport: "ajax" as const, headersProvider },
  };
}
