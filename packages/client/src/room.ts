import type {
  JoinOptions,
  Member,
  Presence,
  PresenceChannel,
  PusherLike,
} from "../types/index.d.ts";
import { keepSubscribed } from "./keep_subscribed.ts";
// @ts-types="./report_activity.d.ts"
import { reportActivity } from "./report_activity.js";
// @ts-types="./report_page.d.ts"
import { reportPage } from "./report_page.js";

/** How long a channel is kept after the last one left it: the next page of an app may join it, in ms. */
const keptMs = 1_000;

/** A presence channel that parts of a page have joined; it is subscribed to once. */
export class Room {
  readonly channel: PresenceChannel;
  count: number | null = null;
  #isQuiet = false;
  #closing: ReturnType<typeof setTimeout> | undefined;
  readonly #joined = new Set<JoinedRoom>();
  readonly #stops: (() => unknown)[] = [];
  readonly #reports: { page?: () => void; activity?: () => void } = {};

  /** @param closed called once nothing on the page uses the room any more. */
  constructor(pusher: PusherLike, name: string, closed: () => void) {
    const isOwn = !pusher.channel(name);
    const channel: PresenceChannel = this.channel = pusher.subscribe(name);
    const changed = () => this.#changed();
    const bindings: Parameters<PresenceChannel["bind"]>[] = [
      ["pusher:subscription_succeeded", changed],
      ["pusher:member_added", changed],
      ["pusher:member_removed", changed],
      ["rollcall:count", ({ users }) => {
        this.#isQuiet = true;
        this.#counted(users);
      }],
      ["rollcall:member_updated", ({ user_id: id, user_info: info }) => {
        channel.members.members[id] = info;
        changed();
        for (const each of this.#joined) each.updated({ id, info });
      }],
    ];
    for (const binding of bindings) {
      channel.bind(...binding);
      this.#stops.push(() => channel.unbind(...binding));
    }
    this.#stops.push(keepSubscribed(pusher, channel, name), closed);
    if (isOwn) {
      this.#stops.push(() => pusher.channel(name) === channel && pusher.unsubscribe(name));
    }
    if (channel.subscribed) changed();
  }

  get members(): Member[] {
    return Object.entries(this.channel.members.members).map(([id, info]) => ({ id, info }));
  }

  join({ page, activity }: JoinOptions): JoinedRoom {
    clearTimeout(this.#closing);
    const { channel } = this;
    const reports = this.#reports;
    if (page) reports.page ??= reportPage(channel, page === true ? undefined : page);
    if (activity) {
      reports.activity ??= reportActivity(channel, activity === true ? undefined : activity);
    }
    const joined = new JoinedRoom(this);
    this.#joined.add(joined);
    return joined;
  }

  leave(joined: JoinedRoom): void {
    if (!this.#joined.delete(joined) || this.#joined.size > 0) return;
    this.#closing = setTimeout(() => {
      const { page, activity } = this.#reports;
      for (const stop of [page, activity, ...this.#stops]) stop?.();
    }, keptMs);
  }

  /** A quiet member's list has only the member; the number comes in an event of its own. */
  #changed(): void {
    if (!this.#isQuiet) this.#counted(this.channel.members.count);
    for (const each of this.#joined) each.changed();
  }

  #counted(count: number): void {
    if (this.count === count) return;
    this.count = count;
    for (const each of this.#joined) each.counted(count);
  }
}

/** A room for the part of a page that joined it, which is called back until it leaves. */
class JoinedRoom implements Presence {
  readonly #room: Room;
  readonly #onCount: ((count: number) => void)[] = [];
  readonly #onMembers: ((members: readonly Member[]) => void)[] = [];
  readonly #onUpdate: ((member: Member) => void)[] = [];

  constructor(room: Room) {
    this.#room = room;
  }

  get count(): number | null {
    return this.#room.count;
  }

  get members(): readonly Member[] {
    return this.#room.members;
  }

  onCount(callback: (count: number) => void): this {
    this.#onCount.push(callback);
    if (this.count !== null) callback(this.count);
    return this;
  }

  onMembers(callback: (members: readonly Member[]) => void): this {
    this.#onMembers.push(callback);
    if (this.count !== null) callback(this.members);
    return this;
  }

  onUpdate(callback: (member: Member) => void): this {
    this.#onUpdate.push(callback);
    return this;
  }

  leave(): void {
    this.#room.leave(this);
  }

  counted(count: number): void {
    for (const callback of this.#onCount) callback(count);
  }

  changed(): void {
    if (this.#onMembers.length === 0) return;
    const { members } = this;
    for (const callback of this.#onMembers) callback(members);
  }

  updated(member: Member): void {
    for (const callback of this.#onUpdate) callback(member);
  }
}
