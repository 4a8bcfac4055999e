import type { PresenceChange, PresentMember } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";

/** A counted channel that a test fills, with what was asked of it. */
export class ChannelOfPeople {
  readonly present = new Map<string, PresentMember>();
  /** Of how many users the connections were looked at, at each look. */
  readonly looks: number[] = [];
  /** How many names were looked up, at each look-up. */
  readonly lookups: number[] = [];
  readonly names = new Map<string, string>();
  isBroken = false;
  /** Users on servers that do not answer. */
  missing: string[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A user opens a page. */
  join(userId: string): PresenceChange {
    const known = this.present.get(userId);
    const date = this.#clock.date();
    const times = { since: known?.since ?? date, lastSeenAt: date };
    const connections = (known?.connections ?? 0) + 1;
    this.present.set(userId, { userId, connections, ...times });
    return { ...this.counts, userId };
  }

  /** A user closes all pages. */
  leave(userId: string): PresenceChange {
    this.present.delete(userId);
    return { ...this.counts, userId };
  }

  get counts() {
    return { users: this.present.size, connections: this.present.size };
  }

  get now() {
    return { ...this.counts, userIds: [...this.present.keys()] };
  }

  readonly users = (userIds?: ReadonlySet<string>): PresentMember[] =>
    [...this.present.values()].filter(({ userId }) => userIds?.has(userId) ?? true);

  readonly members = (userIds?: ReadonlySet<string>): PresentMember[] => {
    this.looks.push(userIds?.size ?? this.present.size);
    const pages = [{ path: "/now", device: undefined, since: 0 }];
    return this.users(userIds).map((user) => ({ ...user, pages }));
  };

  readonly onAllServers = (userIds?: ReadonlySet<string>) =>
    Promise.resolve({ members: this.members(userIds), isComplete: true, missing: this.missing });

  readonly usersOnAllServers = (userIds: ReadonlySet<string>) =>
    Promise.resolve({ members: this.users(userIds), isComplete: true, missing: this.missing });

  /** Users whose ids begin with `user` have an account. */
  readonly accountsOf = (ids: readonly string[]) => {
    if (this.isBroken) return Promise.reject(new Error("no database"));
    this.lookups.push(ids.length);
    const accounts = ids.filter((id) => id.startsWith("user")).map((id) => ({
      id,
      name: this.names.get(id) ?? `Name of ${id}`,
      email: `${id}@example.org`,
      role: "user" as const,
      disabled: false,
      createdAt: new Date(0),
    }));
    return Promise.resolve(accounts);
  };
}
