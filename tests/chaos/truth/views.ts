import { z } from "zod";

const list = z.object({
  presence: z.object({
    ids: z.array(z.string()),
    count: z.int(),
    hash: z.record(z.string(), z.unknown()),
  }),
});
const member = z.object({ user_id: z.string() });

/** The list of one room as one client knows it: what it was sent first, and the changes since. */
export class ListView {
  /** Undefined before the list came. */
  users: Set<string> | undefined;

  /** Takes the answer to the subscription. @returns what is wrong with it */
  listed(data: unknown, ownUser: string): string | undefined {
    if (this.users) return "was sent a second list";
    const read = list.safeParse(data);
    if (!read.success) return `was sent a malformed list: ${JSON.stringify(data)}`;
    const { ids, count, hash } = read.data.presence;
    this.users = new Set(ids);
    const keys = Object.keys(hash);
    if (ids.length !== count || keys.length !== count || keys.some((id) => !this.users?.has(id))) {
      return `was sent a list of ${ids.length} ids, ${keys.length} members and the count ${count}`;
    }
    return this.users.has(ownUser) ? undefined : "was sent a list without its own user";
  }

  /** Takes a change. @returns what is wrong with it */
  changed(type: "added" | "removed", data: unknown): string | undefined {
    const read = member.safeParse(data);
    if (!read.success) return `was sent a malformed change: ${JSON.stringify(data)}`;
    const user = read.data.user_id;
    if (!this.users) return `was sent member_${type} of ${user} before its list`;
    if (type === "removed") {
      return this.users.delete(user)
        ? undefined
        : `was sent member_removed of ${user}, who is not in its list`;
    }
    if (this.users.has(user)) return `was sent member_added of ${user}, who is in its list`;
    this.users.add(user);
  }
}

/** How a list differs from the users who are there. @returns undefined: it does not */
export function difference(
  shown: ReadonlySet<string>,
  there: ReadonlySet<string>,
): string | undefined {
  const ghosts = [...shown].filter((user) => !there.has(user));
  const missing = [...there].filter((user) => !shown.has(user));
  const parts = [
    ...(ghosts.length > 0 ? [`ghosts: ${few(ghosts)}`] : []),
    ...(missing.length > 0 ? [`missing: ${few(missing)}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

function few(users: string[]): string {
  const shown = users.toSorted().slice(0, 8).join(", ");
  return users.length > 8 ? `${shown} and ${users.length - 8} more` : shown;
}

/** The events of one channel as all clients received them: each at most once, all in one order. */
export class EventOrder {
  readonly #sequences = new Map<string, { seen: Set<string>; last: string | undefined }>();
  readonly #followers = new Map<string, Set<string>>();

  /** A connection received an event. @returns what is wrong with it */
  received(connection: string, event: string): string | undefined {
    let sequence = this.#sequences.get(connection);
    if (!sequence) this.#sequences.set(connection, sequence = { seen: new Set(), last: undefined });
    if (sequence.seen.has(event)) return `was sent ${event} twice`;
    sequence.seen.add(event);
    if (!this.#followers.has(event)) this.#followers.set(event, new Set());
    if (sequence.last !== undefined) this.#followers.get(sequence.last)?.add(event);
    sequence.last = event;
  }

  has(connection: string, event: string): boolean {
    return this.#sequences.get(connection)?.seen.has(event) ?? false;
  }

  /** Events that one client received in another order than others did. */
  contradiction(): readonly string[] {
    const before = new Map([...this.#followers.keys()].map((event) => [event, 0]));
    for (const followers of this.#followers.values()) {
      for (const event of followers) before.set(event, (before.get(event) ?? 0) + 1);
    }
    const free = [...before].filter(([, count]) => count === 0).map(([event]) => event);
    for (let event = free.pop(); event !== undefined; event = free.pop()) {
      before.delete(event);
      for (const follower of this.#followers.get(event) ?? []) {
        const left = (before.get(follower) ?? 0) - 1;
        before.set(follower, left);
        if (left === 0) free.push(follower);
      }
    }
    return [...before.keys()];
  }

  /** Begins again: nothing is on its way. */
  clear(): void {
    this.#sequences.clear();
    this.#followers.clear();
  }
}

/** An entry of the log of joins and leaves that servers store. */
export interface StoredChange {
  readonly user: string;
  readonly change: "joined" | "left";
}

/** The log of one room, read bit by bit. */
export class ActivityLog {
  #present = new Set<string>();

  /**
   * Compares entries that were added with the users who are there now.
   *
   * @returns a sentence for each entry that repeats the previous one, and for what the last ones are wrong
   * about
   */
  compare(
    added: readonly StoredChange[],
    there: ReadonlySet<string>,
  ): { doubles: string[]; wrong: string[] } {
    const present = new Set(this.#present);
    const doubles: string[] = [];
    for (const { change, user } of added) {
      if (present.has(user) === (change === "joined")) doubles.push(`${user} ${change} twice`);
      if (change === "joined") present.add(user);
      else present.delete(user);
    }
    const wrong = [
      ...[...present].filter((user) => !there.has(user)).map((user) => `${user} has not left`),
      ...[...there].filter((user) => !present.has(user)).map((user) => `${user} has not joined`),
    ];
    return { doubles, wrong };
  }

  /** From now on, these users are known to be there. */
  accept(there: ReadonlySet<string>): void {
    this.#present = new Set(there);
  }
}
