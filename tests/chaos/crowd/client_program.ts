import { TextLineStream } from "../../fixtures/asked_process.ts";
import type { Authorization, Client, ClientListener, Command, Notice } from "./client.ts";
import { PusherClient } from "./pusher_client.ts";
import { RawClient } from "./raw_client.ts";

/** The program of a process of clients: it follows orders, and ends with its standard input. */

const clients = new Map<number, Client>();
const questions = new Map<number, (authorization: Authorization) => void>();
let lastRequest = 0;
const encoder = new TextEncoder();

function notify(notice: Notice): void {
  Deno.stdout.writeSync(encoder.encode(`${JSON.stringify(notice)}\n`));
}

function listenerOf(client: number, opening: number): ClientListener {
  const own = { client, opening };
  return {
    connected: (socketId) => notify({ type: "connected", ...own, socketId }),
    authorize(channel, socketId, answer) {
      questions.set(++lastRequest, answer);
      notify({ type: "authorize", ...own, number: lastRequest, channel, socketId });
    },
    received: (frame) => notify({ type: "received", ...own, frame }),
    disconnected: (reason) => notify({ type: "disconnected", ...own, reason }),
  };
}

function follow(order: Command): void {
  if (order.type === "confirm") return notify({ type: "confirmed" });
  const client = clients.get(order.client);
  switch (order.type) {
    case "open": {
      client?.close();
      const { channels, opening, port } = order;
      const options = { channels, listener: listenerOf(order.client, opening) };
      const opened = order.isPusherJs ? new PusherClient(options) : new RawClient(options);
      clients.set(order.client, opened);
      return opened.open(port);
    }
    case "close":
      clients.delete(order.client);
      return client?.close();
    case "unsubscribe":
      return client?.unsubscribe(order.channel);
    case "trigger":
      return client?.trigger(order.channel, order.event, order.data);
    case "authorized": {
      const { auth, channel_data, number } = order;
      questions.get(number)?.({ auth, channel_data });
      questions.delete(number);
    }
  }
}

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
notify({ type: "confirmed" });
for await (const line of lines) follow(JSON.parse(line));
Deno.exit();
