import type { Frame } from "../protocol/frame.ts";
import type { LeaveReason } from "../events/leave_reason.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";

/** A user in a presence channel, as everybody there sees it. */
export interface Member {
  readonly id: string;
  /** JSON text of the `user_info`. */
  readonly info: string;
}

/**
 * A user joined or left a presence channel, seen over all nodes. Versions of a channel rise by one
 * with each event: a node that misses one has missed something.
 */
export type Membership =
  & { readonly channel: string; readonly version: number }
  & ({ readonly type: "added"; readonly member: Member } | {
    readonly type: "removed";
    readonly userId: string;
  });

/** Everybody in a presence channel, as of a version. */
export interface Snapshot {
  readonly channel: string;
  readonly version: number;
  readonly members: readonly Member[];
}

/** A node, as its broker sees it. None of these may throw. */
export interface BrokerListener {
  onMembership(event: Membership): void;
  onSnapshot(snapshot: Snapshot): void;
  /** `except` is a socket id that does not get the frame. */
  onPublished(channel: string, frame: Frame, except?: string): void;
  /** Something happened over all nodes; of them only this one, which caused it, is called. */
  onServerEvent(occurrence: ChannelServerEvent): void;
}

/**
 * The seam between a node and all others. Answers come through the listener: at once, during the
 * call, or later. Events and snapshots of a channel come only between `open` and `close`; serverEvents
 * may come during both.
 */
export interface Broker {
  /** Says where answers go; called once, before anything else. */
  attach(listener: BrokerListener): void;
  /** This node has its first subscriber of a channel: a snapshot follows, then events. */
  open(channel: string): void;
  /** This node has no subscriber of the channel any more, and no connection of any user in it. */
  close(channel: string): void;
  /**
   * This node has so many connections of a user in a presence channel. The number is absolute:
   * saying it twice changes nothing. Only a user whom no node had becomes an event; the `info` of a
   * user who is already in is ignored.
   */
  join(channel: string, member: Member, connections: number): void;
  /**
   * This node has no connection of the user any more; an event if no other node has one.
   *
   * @param reason how the last connection here left.
   */
  leave(channel: string, userId: string, reason: LeaveReason): void;
  /** Asks for a snapshot, after a gap. */
  snapshot(channel: string): void;
  /** Sends a frame to the channel's subscribers on every node, this one included. */
  publish(channel: string, frame: Frame, except?: string): void;
}
