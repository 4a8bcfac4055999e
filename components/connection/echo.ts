import type LaravelEcho from "laravel-echo";
import { Echo, Pusher } from "./pusher.ts";
import { currentPageHeaders, installPageHeaders, setSocketIdSource } from "./page_headers.ts";
import { keepAuthorizedCount } from "./authorized_count.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";

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
  const { authEndpoint, userAuthEndpoint, ...connection } = settings;
  return {
    broadcaster: "pusher" as const,
    Pusher,
    ...connection,
    activityTimeout,
    pongTimeout,
    channelAuthorization: { endpoint: authEndpoint, transport: "ajax" as const, headersProvider },
    // Echo writes into `headers` and fails where there are none.
    userAuthentication: {
      endpoint: userAuthEndpoint,
      transport: "ajax" as const,
      headers: {},
      headersProvider,
    },
  };
}
