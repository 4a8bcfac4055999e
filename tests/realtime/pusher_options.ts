import type { Options } from "pusher-js";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { app } from "./harness.ts";

/** How a client differs from one with valid signatures. */
export interface ClientOptions {
  /** False: its subscriptions are signed for another socket. */
  signs?: boolean;
  /** False: presence channels are joined as the signed-in user. */
  sendsChannelData?: boolean;
  watchlist?: string[];
}

/** The options of the pages' clients, with an auth route that signs in place. */
export function optionsFor(
  server: { port: number },
  userId: string | number,
  options: ClientOptions = {},
): Options {
  const { signs = true, sendsChannelData = true, watchlist } = options;
  return {
    cluster: "self",
    wsHost: "127.0.0.1",
    wsPort: server.port,
    forceTLS: false,
    enabledTransports: ["ws"],
    disableStats: true,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, answer) => {
        const hasData = sendsChannelData && channelName.startsWith("presence-");
        const data = hasData
          ? JSON.stringify({ user_id: userId, user_info: { id: userId } })
          : undefined;
        const auth = signChannel(app, signs ? socketId : "1.2", channelName, data);
        answer(null, { auth, channel_data: data });
      },
    },
    userAuthentication: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId }, answer) => {
        const data = JSON.stringify({ id: userId, user_info: { id: userId }, watchlist });
        answer(null, { auth: signUser(app, socketId, data), user_data: data });
      },
    },
  };
}
