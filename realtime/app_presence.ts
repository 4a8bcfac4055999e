import type { Hub } from "./channels/hub.ts";
import {
  countsOf,
  membersOf,
  openPagesOf,
  type Presence,
  type PresenceCounts,
  presenceOf,
  type PresentMember,
  usersOf,
} from "./channels/members.ts";
import { type ActiveUsers, activeUsersOf } from "./channels/user_activity.ts";
import type { OpenPage } from "./connections/connection.ts";
import type { Member } from "./protocol/member.ts";
import type { ResolvedOptions } from "./options.ts";

/** Who is in the presence channels of an app. A channel of another kind, or that is not open, has no members. */
export class AppPresence {
  readonly #hub: Hub;
  readonly #options: ResolvedOptions;

  constructor(
    hub: Hub,
    options: ResolvedOptions,
  ) {
    this.#hub = hub;
    this.#options = options;
  }

  /** The members over all nodes. */
  of(channel: string): Presence {
    return presenceOf(this.#hub.presence(channel));
  }

  /** The size over all nodes. */
  counts(channel: string): PresenceCounts {
    return countsOf(this.#hub.presence(channel));
  }

  /** How many members have a connection to this node, or may return to it. */
  usersHere(channel: string): number {
    return this.#hub.presence(channel)?.tracker.size ?? 0;
  }

  /** Whether a user is a member, over all nodes. */
  isMember(channel: string, userId: string): boolean {
    return this.#hub.presence(channel)?.members.has(userId) ?? false;
  }

  /** A member, over all nodes; undefined for a user who is none. */
  member(channel: string, userId: string): Member | undefined {
    return this.#hub.presence(channel)?.members.get(userId);
  }

  /**
   * The members with their connections on this node.
   *
   * @param userIds of these users only.
   */
  members(channel: string, userIds?: ReadonlySet<string>): PresentMember[] {
    const presence = this.#hub.presence(channel);
    return presence ? membersOf(presence, this.#options, userIds) : [];
  }

  /**
   * The same as {@link members} without what takes a look at every connection: no pages, and all who are connected were
   * seen now.
   */
  users(channel: string, userIds?: ReadonlySet<string>): PresentMember[] {
    const presence = this.#hub.presence(channel);
    return presence ? usersOf(presence, this.#options.clock, userIds) : [];
  }

  /** How many members are active through this node; null while no tab reports it. */
  active(channel: string): number | null {
    const { active, size } = this.#hub.presence(channel)?.activity ?? { active: 0, size: 0 };
    return size > 0 ? active : null;
  }

  /** The members who are active, on this node. */
  activeUsers(channel: string): ActiveUsers {
    return activeUsersOf(this.#hub.presence(channel)?.activity);
  }

  /** The pages that the clients of each member reported, on this node; only of members with any. */
  openPages(channel: string): Iterable<readonly OpenPage[]> {
    const presence = this.#hub.presence(channel);
    return presence ? openPagesOf(presence) : [];
  }
}
