import type PusherServer from "pusher";
import type { Options } from "pusher-js";

/** How a client differs from a usual page's. */
export interface ClientOptions {
  /** Another key than the app's. */
  key?: string;
  /** The library that authorizes. Default: one with the app's secret. */
  library?: PusherServer;
  /** The user that joins presence channels and signs in. Default `ann`. */
  userId?: string;
  /** Its `user_info` in presence channels. */
  userInfo?: Record<string, unknown>;
  /** What is signed under the reserved key, in presence channels. */
  rollcall?: Record<string, unknown>;
  watchlist?: string[];
  /** False: presence channels are joined as the signed-in user. */
  sendsChannelData?: boolean;
  /** False: requests are signed for another socket. */
  signs?: boolean;
  /** Options of pusher-js itself. */
  options?: Partial<Options>;
}

/** Options of pusher-js as pages have them, authorized in place by the official server library. */
export function optionsOf(
  port: number,
  library: PusherServer,
  client: ClientOptions,
  authorizing: (channel: string) => void,
): Options {
  const { userId = "ann", watchlist, signs = true, sendsChannelData = true, rollcall } = client;
  const user_info = client.userInfo ?? { id: userId };
  return {
    cluster: "self",
    wsHost: "127.0.0.1",
    wsPort: port,
    forceTLS: false,
    enabledTransports: ["ws", "wss"],
    channelAuthorization: {
      customHandler: ({ socketId, channelName }, answer) => {
        authorizing(channelName);
        const hasData = sendsChannelData && channelName.startsWith("presence-");
        const data = hasData ? { user_id: userId, user_info, rollcall } : undefined;
        answer(null, library.authorizeChannel(signs ? socketId : "1.2", channelName, data));
      },
    },
    userAuthentication: {
      customHandler: ({ socketId }, answer) => {
        const user = { id: userId, user_info, watchlist };
        answer(null, library.authenticateUser(signs ? socketId : "1.2", user));
      },
    },
    ...client.options,
  };
}
