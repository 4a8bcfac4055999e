import type { App } from "@/realtime/app.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import type { LateList, LoggedFrame } from "@/realtime/connections/send_queue.ts";
import type { Departure } from "@/realtime/events/server_events.ts";
import type { Received } from "./harness.ts";

/** A connection without a socket, which keeps its frames. */
export class FakeConnection {
  readonly subscriptions = new Map();
  readonly frames: Received[] = [];
  readonly [count: string]: unknown;
  constructor(readonly id: string, readonly userId: string, readonly app: App) {}
  send({ text }: { text: string }): void {
    const { event, channel, data } = JSON.parse(text);
    this.frames.push({ event, channel, data: data === undefined ? undefined : JSON.parse(data) });
  }
  sendLogged = ({ frame, except }: LoggedFrame) => except === this.id || this.send(frame);
  sendList = (list: LateList) => this.send(list.encode());
  unfollow(): void {}
  fail(_: unknown, departure: Departure): void {
    this.app.released(asConnection(this), departure);
  }
}

/** It has what an app uses of a connection, and nothing else. */
export function asConnection(fake: FakeConnection): Connection {
  return fake as unknown as Connection;
}
