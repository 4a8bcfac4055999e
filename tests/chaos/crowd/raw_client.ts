import { app } from "../installation/installation.ts";
import type { Client, ClientOptions, ReceivedFrame } from "./client.ts";

/** A bare WebSocket. Once it is over, it stays so until it is opened again. */
export class RawClient implements Client {
  readonly reconnects = false;
  readonly isRunning = true;
  readonly #options: ClientOptions;
  #socket: WebSocket | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  open(port: number): void {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${app.key}?protocol=7`);
    this.#socket = socket;
    const { listener } = this.#options;
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#received(data);
    };
    socket.onerror = (event) => event.preventDefault();
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      listener.disconnected(`${code} ${reason}`.trim());
    };
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  unsubscribe(channel: string): void {
    this.#send({ event: "pusher:unsubscribe", data: { channel } });
  }

  trigger(channel: string, event: string, data: unknown): void {
    this.#send({ event, channel, data });
  }

  members(): undefined {
    return undefined;
  }

  #send(frame: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #received(text: string): void {
    const { listener } = this.#options;
    const { data, ...frame } = JSON.parse(text);
    const read: ReceivedFrame = { ...frame, data: typeof data === "string" ? parsed(data) : data };
    if (read.event === "pusher:ping") return this.#send({ event: "pusher:pong", data: {} });
    if (read.event !== "pusher:connection_established") return listener.received(read);
    const { socket_id: socketId } = read.data as { socket_id: string };
    listener.connected(socketId);
    for (const channel of this.#options.channels) this.#subscribe(socketId, channel);
  }

  #subscribe(socketId: string, channel: string): void {
    const socket = this.#socket;
    this.#options.listener.authorize(channel, socketId, (authorization) => {
      if (this.#socket !== socket) return;
      this.#send({ event: "pusher:subscribe", data: { channel, ...authorization } });
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
