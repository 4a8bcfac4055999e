import type { LogEntry } from "../../options.ts";
import type { Link } from "../engine.ts";
import type { Heartbeat, SharedState } from "../state/shared_state.ts";
import { Lease, type LeaseOptions } from "./lease.ts";

/** What a {@link Node} is made with. */
export interface NodeOptions extends LeaseOptions {
  state: SharedState;
  link: Link;
  /** The name of the engine, for the log. Default: Redis. */
  place?: string;
  /** What other servers can read of this one: JSON text. */
  totals: () => string;
  /** Whether this server is the leader: it drops the users of lost servers, others only where it does not. Default: yes. */
  isLeader?: () => boolean;
  /** Whether a server said that it was about to end. */
  wasPlanned: (node: string) => boolean;
  log: (entry: LogEntry) => void;
}

/** What depends on a node's lease. */
export interface NodeListener {
  /**
   * Registers again all that this server has told the others: its connection was down, or its lease is a
   * new one. Resolves when it has been registered, as far as the connection allows. Never rejects.
   *
   * @returns whether the engine has taken all of it.
   */
  resync(): Promise<boolean>;
  /** Tries again what failed: the connection works and the lease is valid. @returns as {@link resync} does. */
  retry(): Promise<boolean>;
}

/** Between two steps of a drop, in milliseconds. */
const mostRestMs = 100;

/**
 * This process among the servers: it renews its lease, and drops the users of others whose lease has
 * expired. When its own was lost, it registers all it knows under the next one.
 */
export class Node {
  readonly #options: NodeOptions;
  readonly #lease: Lease;
  readonly #listeners = new Set<NodeListener>();
  readonly #changed = new Set<() => void>();
  /** Names of this process whose lease was lost, and whose users may be claimed still. */
  readonly #formerNames: string[] = [];
  #isStopped = false;
  #isSendingHeartbeats = false;
  #hasMissed = false;
  /** One registration of everything after the other. */
  #resyncing: Promise<void> = Promise.resolve();
  /** The former names that have to wait until the engine has taken what it refused; undefined: none has. */
  #unregistered: readonly string[] | undefined;
  /** While users of lost servers are dropped. */
  #dropping: Promise<void> | undefined;
  /** When lost servers were found first, by the engine's clock. */
  readonly #lostSince = new Map<string, number>();
  #staleSince: number | undefined;
  #firstLease: { readonly at: number; readonly isAlone: boolean } | undefined;
  #cancel = () => {};
  #endRest = () => {};
  #stopListening = () => {};

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#lease = new Lease(options);
  }

  /** The name under which this server claims users; undefined before its first lease. */
  get name(): string | undefined {
    return this.#lease.name;
  }

  /** Whether calls make sense now: the engine is connected. A call whose lease is over answers "lost". */
  get isUp(): boolean {
    return this.name !== undefined && this.#options.link.isUp && !this.#isStopped;
  }

  /** The names of the servers that live, this one included, as of the last heartbeat. */
  get nodes(): readonly string[] {
    return this.#lease.nodes;
  }

  /**
   * When this server took its first lease, by the shared clock, and whether no other one had a lease then, and none had
   * left users behind: all members were this one's. Undefined before.
   */
  get firstLease(): { readonly at: number; readonly isAlone: boolean } | undefined {
    return this.#firstLease;
  }

  /** When the shared data will be settled, in milliseconds from now; 0: they are. */
  get unsettledMs(): number {
    return this.#lease.unsettledMs;
  }

  /** Since when this server knows nothing of the others, in milliseconds since 1970; undefined while it does. */
  get staleSince(): number | undefined {
    return this.#staleSince;
  }

  /** The engine's clock, by the last heartbeat and the time since. */
  sharedNow(): number {
    return this.#lease.sharedNow();
  }

  /** Adds what depends on the lease. @returns remove */
  add(listener: NodeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Is called when {@link staleSince} or {@link nodes} changed. @returns unsubscribe */
  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  /** Takes a lease and keeps it. @throws {Error} when the engine does not answer. */
  async start(): Promise<void> {
    const { expired, nodes, now } = await this.#begin();
    this.#firstLease = { at: now, isAlone: expired.length === 0 && nodes.length === 1 };
    const { link } = this.#options;
    this.#stopListening = link.onChange((isUp) => {
      if (isUp) this.#heartbeatNow();
      else this.#missed();
    });
    this.#schedule();
  }

  /** The lease was found lost by a call under a name. */
  lost(name: string): void {
    if (name === this.name) this.#heartbeatNow();
  }

  /** Ends the lease within some milliseconds and sends no more heartbeats: this server's users have that time to return elsewhere. */
  async exit(afterMs: number): Promise<void> {
    this.stop();
    const { log, state, totals } = this.#options;
    if (this.name === undefined) return;
    try {
      await state.heartbeat(this.name, totals());
      await state.exit(this.name, afterMs);
    } catch (error) {
      const message =
        "The other servers do not know of this stop and wait for the end of the lease";
      log({ level: "warn", message, error });
    }
  }

  /** Sends no more heartbeats; the lease ends by itself. */
  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    this.#cancel();
    this.#endRest();
  }

  #schedule(): void {
    this.#cancel();
    if (this.#isStopped) return;
    this.#cancel = this.#options.clock.after(this.#options.heartbeatMs, () => this.#heartbeatNow());
  }

  #heartbeatNow(): void {
    if (this.#isSendingHeartbeats || this.#isStopped) return;
    this.#isSendingHeartbeats = true;
    this.#renew()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#isSendingHeartbeats = false;
        this.#schedule();
      });
  }

  async #renew(): Promise<void> {
    const { clock, link, state, totals } = this.#options;
    if (!link.isUp || this.name === undefined) return this.#missed();
    const sentAt = clock.now();
    const heartbeat = await state.heartbeat(this.name, totals());
    if (this.#isStopped) return;
    if (heartbeat === "lost" || this.#lease.isOlderThan(heartbeat)) return await this.#replace();
    this.#lease.renewed(heartbeat, sentAt, this.#hasMissed);
    if (this.#hasMissed) this.#resyncNext();
    else this.#retryNext();
    this.#findLost(heartbeat.now);
    this.#dropping ??= this.#dropLost()
      .catch((error) => this.#failed(error))
      .finally(() => this.#dropping = undefined);
    this.#emit();
  }

  /**
   * Takes a new lease, registers everything under it, and drops what is claimed under the former one: that was
   * lost, or the engine has lost some of what was claimed and released under it.
   */
  async #replace(): Promise<void> {
    const { name } = this;
    if (name !== undefined && this.#formerNames.at(-1) !== name) {
      this.#formerNames.push(name);
      this.#options.log({ level: "warn", message: "The lease of this server was lost" });
    }
    await this.#begin();
    this.#resyncNext();
  }

  /** Beside the heartbeats: hundreds of thousands of users take longer to register than a lease lasts. */
  #resyncNext(): void {
    this.#hasMissed = false;
    this.#resyncing = this.#resyncing
      .then(() => this.#resync())
      .catch((error) => this.#failed(error));
  }

  async #begin(): Promise<Heartbeat> {
    const { clock, state, totals } = this.#options;
    const sentAt = clock.now();
    const heartbeat = await state.begin(this.#lease.nextName, totals());
    this.#lease.taken(heartbeat, sentAt);
    return heartbeat;
  }

  /** The engine has taken all but what it refused, as when its memory is full: only that is registered again. */
  #retryNext(): void {
    const retries = Promise.all(Array.from(this.#listeners, (listener) => listener.retry()));
    if (!this.#unregistered) return;
    this.#resyncing = this.#resyncing
      .then(async () => await this.#registered(this.#unregistered ?? [], await retries))
      .catch((error) => this.#failed(error));
  }

  async #resync(): Promise<void> {
    // Names of leases that are lost meanwhile have to wait until all is registered under the next one.
    const former = [...this.#formerNames];
    const listeners = [...this.#listeners];
    await this.#registered(
      former,
      await Promise.all(listeners.map((listener) => listener.resync())),
    );
  }

  /** @param areRegistered of each listener, whether the engine has taken all; else it is claimed under former names only */
  async #registered(former: readonly string[], areRegistered: readonly boolean[]): Promise<void> {
    this.#unregistered = former.length > 0 && areRegistered.includes(false) ? former : undefined;
    if (this.#unregistered || this.#hasMissed || !this.isUp) return;
    if (this.#staleSince !== undefined) {
      this.#staleSince = undefined;
      this.#options.log({ level: "info", message: "The other servers are reached again" });
    }
    for (const name of former) {
      await this.#options.state.exit(name, 0);
      while (this.#mayDrop && await this.#options.state.drop(name));
      this.#formerNames.splice(this.#formerNames.indexOf(name), 1);
    }
    this.#emit();
  }

  /** Notes, and logs, which servers are lost. */
  #findLost(now: number): void {
    const { log, wasPlanned } = this.#options;
    const lost = new Set(this.#lease.droppable);
    for (const name of this.#lostSince.keys()) if (!lost.has(name)) this.#lostSince.delete(name);
    // Before the data are settled, nothing is dropped where some were lost.
    if (this.unsettledMs > 0) return;
    for (const name of lost) {
      if (this.#lostSince.has(name)) continue;
      this.#lostSince.set(name, now);
      if (wasPlanned(name) || this.#lease.livesOn(name)) continue;
      log({ level: "warn", message: "A server was lost", server: name });
    }
  }

  /**
   * Drops the users of lost servers, beside the heartbeats: hundreds of thousands take longer than a lease lasts. What
   * the latest heartbeat says holds for each step.
   */
  async #dropLost(): Promise<void> {
    const { isLeader = () => true, leaseMs, state } = this.#options;
    const isDue = (name: string) => {
      const since = this.#lostSince.get(name);
      return since !== undefined && (isLeader() || this.sharedNow() - since > leaseMs);
    };
    for (const name of this.#lostSince.keys()) {
      let askedAt = this.#options.clock.now();
      while (this.#mayDrop && isDue(name) && await state.drop(name)) {
        await this.#rest(this.#options.clock.now() - askedAt);
        askedAt = this.#options.clock.now();
      }
    }
  }

  /** Half of the time is for others, also where the engine is slow: what they register and their heartbeats would wait. */
  #rest(busyMs: number): Promise<void> {
    const restMs = Math.min(Math.max(busyMs, 1), mostRestMs);
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(restMs, resolve);
      this.#endRest = () => {
        cancel();
        resolve();
      };
    });
  }

  get #mayDrop(): boolean {
    return this.isUp && !this.#hasMissed;
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    if (!this.#hasMissed) {
      const { log, place = "Redis" } = this.#options;
      log({ level: "warn", message: `${place} did not answer`, error });
    }
    this.#missed();
  }

  #missed(): void {
    this.#hasMissed = true;
    if (this.#staleSince !== undefined) return;
    this.#staleSince = this.#options.clock.date();
    const { log, place = "Redis" } = this.#options;
    log({ level: "error", message: `${place} is not reached: the numbers are stale` });
    this.#emit();
  }

  #emit(): void {
    for (const listener of this.#changed) listener();
  }
}
