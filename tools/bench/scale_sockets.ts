import { onlineChannel } from "@/server/presence/channels.ts";
import { unread } from "./crowd.ts";
import { LoadClient } from "./load_client.ts";

/** The first message to the worker. */
export interface SocketsToOpen {
  port: number;
  key: string;
  secret: string;
  sockets: number;
}

/** How often each of them says that it is alive, in milliseconds; a silent one is closed after 30 s. */
const aliveEveryMs = 10_000;

/** This module runs in a worker, so that nothing keeps it from reading: quiet members with sockets that stay. */
function serveSockets(scope: Pick<Worker, "onmessage" | "postMessage">): void {
  scope.onmessage = async ({ data }: MessageEvent<SocketsToOpen>) => {
    const { port, key, secret, sockets } = data;
    const clients: LoadClient[] = [];
    for (let number = 0; number < sockets; number++) {
      const client = await LoadClient.connect(port, unread, { key, secret });
      const id = `socket-${number}`;
      await client.joinPresence(onlineChannel, { id, isQuiet: true });
      clients.push(client);
      setInterval(
        () => client.ping().catch(() => console.error("A socket was lost")),
        aliveEveryMs,
      );
    }
    scope.postMessage("ready");
  };
}

// The type of the global scope is a page's.
serveSockets(self as unknown as Worker);
