/**
 * The least that an uWebSockets server does, run by the npm package `bun`: sockets of one topic, and a
 * text that is published to it. It knows no channel, checks nothing, and sends the texts that it is given
 * as arguments: the first frame of a connection, and the answer to a subscription. Prints its port.
 */

/** What of Bun's server is used here, whose types are not those of Deno. */
interface BunSocket {
  send(text: string): void;
  subscribe(topic: string): void;
}

interface BunServer {
  readonly port: number;
  upgrade(request: Request): boolean;
  publish(topic: string, text: string): void;
}

declare const Bun: {
  argv: string[];
  serve(options: {
    port: number;
    hostname: string;
    fetch(request: Request, server: BunServer): Promise<Response | undefined>;
    websocket: {
      idleTimeout: number;
      open(socket: BunSocket): void;
      message(socket: BunSocket, text: string): void;
    };
  }): BunServer;
};

const [, , established, succeeded] = Bun.argv;
const topic = "all";

const { port } = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request, server) {
    if (request.method === "GET") {
      return server.upgrade(request) ? undefined : new Response("", { status: 400 });
    }
    const { name: event, channel, data } = await request.json();
    server.publish(topic, JSON.stringify({ event, channel, data }));
    return Response.json({});
  },
  websocket: {
    idleTimeout: 240,
    open: (socket) => socket.send(established),
    message(socket, text) {
      if (JSON.parse(text).event !== "pusher:subscribe") return;
      socket.subscribe(topic);
      socket.send(succeeded);
    },
  },
});
console.log(port);
