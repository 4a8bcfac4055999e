import assert from "node:assert/strict";
import type { ChannelListener, Membership } from "@/realtime/brokers/broker.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import type { App } from "@/realtime/app.ts";
import type { Connection } from "@/realtime/connections/connection.ts";
import type { LateList, LoggedFrame } from "@/realtime/connections/send_queue.ts";
import type { Departure, ServerListeners } from "@/realtime/events/server_events.ts";
import { Listeners } from "@/realtime/events/listeners.ts";
import type { Received } from "./harness.ts";

/** The presence channel of tests without a server. */
export const channel = "presence-room";

/** A broker's listener for which nothing matters but what a test gives. */
export function listenerOf(given: Partial<ChannelListener>): ChannelListener {
  return {
    onOpened() {},
    onMembership() {},
    onSnapshot() {},
    onClaimed() {},
    onFull() {},
    listed: () => undefined,
    onPublished() {},
    onSubscribers() {},
    ...given,
  };
}

export function member(id: string, info = "{}"): Member {
  return { id, info };
}

/** The event that a member was added. */
export function added(version: number, id: string): Membership {
  return { type: "added", previous: version - 1, version, member: member(id) };
}

/** The event that a member was updated. */
export function updated(version: number, member: Member): Membership {
  const updated = { ...member, isUpdated: true };
  return { type: "updated", previous: version - 1, version, member: updated };
}

/** The event that a member was removed. */
export function removed(version: number, userId: string): Membership {
  return { type: "removed", previous: version - 1, version, userId };
}

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

/** The listeners of a server. A test fails where one of them does. */
export function strictListeners(): ServerListeners {
  const failed = (error: unknown) => assert.fail(String(error));
  return {
    serverEvents: new Listeners(failed),
    subscriptions: new Listeners(failed),
    rejections: new Listeners(failed),
  };
}
