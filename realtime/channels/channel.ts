import type { Frame } from "../protocol/frame.ts";
import { MemberList } from "./member_list.ts";
import { memberAdded, memberRemoved } from "../protocol/outgoing.ts";
import type { Applied } from "./member_list.ts";
import { PresenceTracker } from "./presence_tracker.ts";

/** Whoever a channel sends to; told apart by identity. */
export interface Subscriber {
  readonly id: string;
}

/** A public or private channel: this node's subscribers. Does no I/O. */
export class Channel<S extends Subscriber = Subscriber> {
  readonly subscribers = new Set<S>();

  constructor(readonly name: string) {}

  /** Whether nothing is kept here any more. */
  get isEmpty(): boolean {
    return this.subscribers.size === 0;
  }
}

/** What a change of the members means for this node: frames for those who are in, then newcomers. */
export interface Outcome<S> {
  frames: Frame[];
  /** Subscribers whose user is a member now: they are in, and receive the member list. */
  admitted: S[];
}

/**
 * A presence channel: this node's subscribers, its part of the tracker, and the members over all nodes.
 * A subscriber waits until its user is a member. Does no I/O.
 */
export class PresenceChannel<S extends Subscriber = Subscriber> extends Channel<S> {
  readonly tracker = new PresenceTracker();
  readonly members: MemberList;
  readonly #waiting = new Map<S, string>();

  constructor(name: string) {
    super(name);
    this.members = new MemberList(name);
  }

  override get isEmpty(): boolean {
    return super.isEmpty && this.#waiting.size === 0 && this.tracker.size === 0;
  }

  /** How many connections are here, those that wait to be members included. */
  get connections(): number {
    return this.subscribers.size + this.#waiting.size;
  }

  /** Whether the user may be here: who is in stays in, however full it is. */
  hasRoomFor(userId: string, maxMembers: number): boolean {
    return this.members.has(userId) || this.members.size < maxMembers;
  }

  /** The subscriber waits for its user to be a member. */
  wait(subscriber: S, userId: string): void {
    this.#waiting.set(subscriber, userId);
  }

  /** The subscriber left, joined or waiting. */
  remove(subscriber: S): void {
    this.subscribers.delete(subscriber);
    this.#waiting.delete(subscriber);
  }

  /** What changes of the members mean for the subscribers here. */
  outcome({ changes }: Applied): Outcome<S> {
    const frames = changes.map((change) =>
      "added" in change
        ? memberAdded(this.name, change.added)
        : memberRemoved(this.name, change.removed)
    );
    return { frames, admitted: this.#waiting.size === 0 ? [] : this.#ready() };
  }

  #ready(): S[] {
    return [...this.#waiting].filter(([, userId]) => this.members.has(userId))
      .map(([subscriber]) => subscriber);
  }

  /** Lets a waiting subscriber in. */
  admit(subscriber: S): void {
    this.#waiting.delete(subscriber);
    this.subscribers.add(subscriber);
  }
}
