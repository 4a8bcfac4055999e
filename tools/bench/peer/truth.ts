import type { Change } from "./subscriber.ts";

/** A user who comes once and goes once; times are by `performance.now`. */
interface Life {
  /** Set before the subscription is sent. */
  cameAt: number;
  /** When the server had answered. */
  joinedAt?: number;
  /** Set before the client leaves. */
  wentAt?: number;
}

/** What a subscriber was told that was not so, by the number of cases. */
export interface Faults {
  /** An `added` of a user who was there already, or who had not come. */
  falseJoins: number;
  /** A `removed` of a user who was there, or who was not in the list. */
  falseLeaves: number;
  /** Users who joined and of whom there was no `added`. */
  missedJoins: number;
}

/** How a list differs from the truth, by the number of users. */
export interface Difference {
  missing: number;
  tooMany: number;
}

/** Who is in a channel: the driver knows, since it connects and disconnects all of them. */
export class Truth {
  readonly #lives = new Map<string, Life>();
  #count = 0;

  /** How many users are in the channel. */
  get count(): number {
    return this.#count;
  }

  came(user: string): void {
    this.#lives.set(user, { cameAt: performance.now() });
  }

  joined(user: string): void {
    this.#lives.get(user)!.joinedAt = performance.now();
    this.#count++;
  }

  /** To be called before the client leaves, so that nothing true is told before. */
  goes(user: string): void {
    this.#lives.get(user)!.wentAt = performance.now();
    this.#count--;
  }

  /** The server did not let the user in. */
  refused(user: string): void {
    this.#lives.delete(user);
  }

  /** How a list differs; those in it whom the driver did not send in count as too many. */
  difference(list: ReadonlySet<string>, isOwn: (user: string) => boolean): Difference {
    const here = [...this.#lives].filter(([, { joinedAt, wentAt }]) => joinedAt && !wentAt);
    const present = new Set(here.map(([user]) => user));
    return {
      missing: [...present].filter((user) => !list.has(user)).length,
      tooMany: [...list].filter((user) => !isOwn(user) && !present.has(user)).length,
    };
  }

  /** What was wrong in the changes that a subscriber was told since before the first user came. */
  faults(changes: readonly Change[], isOwn: (user: string) => boolean): Faults {
    const faults = { falseJoins: 0, falseLeaves: 0, missedJoins: 0 };
    const added = new Set<string>();
    const listed = new Set<string>();
    for (const { kind, user, at } of changes) {
      if (isOwn(user)) continue;
      const life = this.#lives.get(user);
      if (kind === "added") {
        // Each comes once: a second join is false, whatever was told between.
        if (!life || life.cameAt > at || added.has(user)) faults.falseJoins++;
        added.add(user);
        listed.add(user);
      } else {
        if (!life?.wentAt || life.wentAt > at || !listed.has(user)) faults.falseLeaves++;
        listed.delete(user);
      }
    }
    for (const [user, { joinedAt }] of this.#lives) {
      if (joinedAt && !added.has(user)) faults.missedJoins++;
    }
    return faults;
  }
}
