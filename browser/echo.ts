import Echo from "laravel-echo";
import Pusher from "pusher-js";
import { currentPageHeaders, installPageHeaders, setSocketIdSource } from "./page_headers.ts";
import type { ClientSettings } from "./settings.ts";

/** How long a connection may be silent before it is asked for a sign of life, in milliseconds. */
const activityTimeout = 20_000;

/** How long that sign may take, in milliseconds. */
const pongTimeout = 10_000;

let shared: Echo<"pusher"> | undefined;

/**
 * The Echo of this page, connecting since the first call. There is one, whatever the number of
 * islands; the settings of the first call count.
 */
export function sharedEcho(settings: ClientSettings): Echo<"pusher"> {
  if (shared) return shared;
  installPageHeaders();
  const echo = new Echo<"pusher">(echoOptions(settings));
  setSocketIdSource(() => echo.socketId());
  return shared = echo;
}

function echoOptions(settings: ClientSettings) {
  const { authEndpoint, userAuthEndpoint, ...connection } = settings;
  // Echo reads the token once and pusher-js asks this at every request: tokens change at sign-in.
  const headersProvider = currentPageHeaders;
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
