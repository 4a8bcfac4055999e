import type { Heartbeat } from "../shared_state.ts";

/**
 * Since when there is a data set, and whether all nodes have had the time to say again what it lacks. It begins again
 * when no node reached it for a while before it was settled: they could not say it.
 */
export class DataAge {
  /** How long a lease is, in milliseconds. */
  readonly leaseMs: number;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  #beganAt: number | undefined;
  /** When it began first. */
  #baseAt = 0;
  /** The time of a late call, until the data set is settled. */
  #seenAt: number | undefined;
  #isLossy = false;

  constructor(leaseMs: number, now: () => number) {
    this.leaseMs = leaseMs;
    this.now = now;
  }

  /** A node reaches the data. */
  seen(): void {
    const { leaseMs } = this;
    const now = this.now();
    const idleMs = this.#seenAt === undefined ? 0 : now - this.#seenAt;
    const wasAway = idleMs > leaseMs / 3;
    if (this.#beganAt === undefined || wasAway) {
      this.#isLossy ||= wasAway;
      this.#seenAt = this.#beganAt = now;
      if (!wasAway) this.#baseAt = now;
    } else if (now - this.#beganAt >= leaseMs) this.#seenAt = undefined;
    else if (idleMs > leaseMs / 30) this.#seenAt = now;
  }

  /** A node claimed users under a name of which the data know nothing. */
  lacksSome(): void {
    this.#isLossy = true;
  }

  /** The data go on as another data set, which may lack what nodes said last. */
  beginAgain(): void {
    this.#seenAt = undefined;
    this.#isLossy ||= this.#beganAt !== undefined;
    this.#beganAt = undefined;
  }

  /** When the data set began. Call {@link seen} before. */
  get beganAt(): number {
    return this.#beganAt ?? this.now();
  }

  /** When it began first, though no node reached it for a while before it was settled. */
  get baseAt(): number {
    return this.#beganAt === undefined ? this.beganAt : this.#baseAt;
  }

  /** Whether nodes have had a lease's time to say again what it lacks. */
  get isSettled(): boolean {
    return this.now() - this.beganAt >= this.leaseMs;
  }

  /** Whether nodes may claim users of whom the data do not know yet: no one leaves who may be one of them. */
  get isRecovering(): boolean {
    return this.#isLossy && !this.isSettled;
  }
}

interface Lease {
  till: number;
  isExit: boolean;
  totals: string;
}

/** Which nodes live, what they say of themselves, and which of them is the leader. */
export class Leases {
  readonly #age: DataAge;
  readonly #leases = new Map<string, Lease>();
  #leader: { readonly node: string; readonly till: number } | undefined;

  constructor(age: DataAge) {
    this.#age = age;
  }

  /** @returns brings back what there is now */
  copied(): () => void {
    const leases = structuredClone(this.#leases);
    const leader = this.#leader;
    return () => {
      this.#leases.clear();
      for (const [node, lease] of leases) this.#leases.set(node, lease);
      this.#leader = leader;
    };
  }

  /** Whether a node has a lease that has not expired. */
  isValid(node: string): boolean {
    return (this.#leases.get(node)?.till ?? 0) > this.#age.now();
  }

  /** Whether a node has a lease that has expired, and was not deleted. */
  isOver(node: string): boolean {
    return this.#leases.has(node) && !this.isValid(node);
  }

  /** Whether a node had announced its end. */
  isExit(node: string): boolean {
    return this.#leases.get(node)?.isExit ?? false;
  }

  /** Renews a lease, unless it is about to end as planned. */
  renew(node: string, totals: string): Heartbeat {
    const { beganAt, leaseMs } = this.#age;
    const now = this.#age.now();
    const { isExit = false, till = 0 } = this.#leases.get(node) ?? {};
    this.#leases.set(node, { till: isExit ? till : now + leaseMs, isExit, totals });
    const names = [...this.#leases.keys()];
    const expired = names.filter((name) => !this.isValid(name));
    return {
      now,
      beganAt,
      nodes: names.filter((name) => this.isValid(name)),
      expired,
      exited: expired.filter((name) => this.isExit(name)),
    };
  }

  /** A lease ends in some milliseconds, unless it ends before. */
  exit(node: string, afterMs: number): void {
    const lease = this.#leases.get(node);
    if (!lease || !this.isValid(node)) return;
    lease.till = Math.min(lease.till, this.#age.now() + afterMs);
    lease.isExit = true;
  }

  /** A node is no longer known. */
  delete(node: string): void {
    this.#leases.delete(node);
  }

  /** What each node that lives said with its last heartbeat. */
  totals(): Map<string, string> {
    const valid = [...this.#leases].filter(([node]) => this.isValid(node));
    return new Map(valid.map(([node, { totals }]) => [node, totals]));
  }

  /** The node that is the leader now. */
  get leader(): string | undefined {
    const { node, till = 0 } = this.#leader ?? {};
    return till > this.#age.now() ? node : undefined;
  }

  /** Takes or keeps leadership for some milliseconds. @returns whether the node is the leader */
  lead(node: string, ms: number): boolean {
    const now = this.#age.now();
    if (!this.isValid(node) || (this.leader ?? node) !== node) return false;
    this.#leader = { node, till: now + ms };
    return true;
  }

  /** Gives up leadership, if the node has it. */
  resign(node: string): void {
    if (this.#leader?.node === node) this.#leader = undefined;
  }
}
