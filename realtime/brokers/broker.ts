import type { LeaveReason } from "../events/leave_reason.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import type { Frame } from "../protocol/frame.ts";
import type { Member } from "../protocol/users.ts";

/**
 * A user joined or left a presence channel, over all nodes. The versions of a channel rise by one
 * with each event, so a node that missed one notices the gap.
 */
export type Membership =
  & { readonly version: number }
  & ({ readonly type: "added"; readonly member: Member } | {
    readonly type: "removed";
    readonly userId: string;
  });

/** The members of a presence channel over all nodes, at a version. */
export interface Snapshot {
  readonly version: number;
  readonly members: readonly Member[];
}

/** A channel of a node, as the broker sees it. None of these may throw. */
export interface ChannelListener {
  onMembership(event: Membership): void;
  onSnapshot(snapshot: Snapshot): void;
  /** @param except the socket id of a subscriber that does not get the frame. */
  onPublished(frame: Frame, except?: string): void;
  /** A change over all nodes. It is called on one node only: the one that caused it. */
  onServerEvent(event: ChannelServerEvent): void;
}

/**
 * The seam between a node and all others. Every call that concerns other nodes is answered through
 * the channel's listener: during the call, or later. A channel's events, snapshots and frames come
 * only between `open` and `close`; server events may come during both.
 */
export interface Broker {
  /** This node has its first subscriber of a channel: a snapshot follows, then events. */
  open(channel: string, listener: ChannelListener): void;
  /** This node has no subscriber of the channel and no connection of any user in it any more. */
  close(channel: string): void;
  /**
   * This node has a number of connections of a user in a presence channel. The number is absolute:
   * repeating a call changes nothing. An event follows only if no node had the user; the `info` of a
   * user who is a member already is ignored.
   */
  join(channel: string, member: Member, connections: number): void;
  /**
   * This node has no connection of the user any more. An event follows only if no other node has one.
   *
   * @param reason how the user's last connection to this node left.
   */
  leave(channel: string, userId: string, reason: LeaveReason): void;
  /** Requests a snapshot, after a gap in the versions. */
  snapshot(channel: string): void;
  /** Sends a frame to the channel's subscribers on every node, this one included. */
  publish(channel: string, frame: Frame, except?: string): void;
}
