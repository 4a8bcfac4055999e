import Echo from "laravel-echo";
import Pusher from "pusher-js";
import { currentPageHeaders, installPageHeaders, setSocketIdSource } from "./page_headers.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";

/** How long a connection may be silent before it is asked for a sign of life, in milliseconds. */
const activityTimeout = 20_000;

/** How long that sign may take, in milliseconds. */
const pongTimeout = 10_000;

let shared: Echo<"pusher"> | undefined;

/**
 * The Echo of this page, connecting since the first call. There is one, whatever the number of
 * islands; what the first call is given counts.
 *
 * @param headersProvider what each request to the auth routes carries.
 */
export function sharedEcho(
  settings: ClientSettings,
  headersProvider: () => Record<string, string> = currentPageHeaders,
): Echo<"pusher"> {
  if (shared) return shared;
  installPageHeaders();
  const echo = new Echo<"pusher">(echoOptions(settings, headersProvider));
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
