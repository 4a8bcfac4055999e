import type { LogEntry } from "../../realtime/options.ts";
import type { Redis } from "../redis/redis.ts";
import type { SharedState } from "../state/shared_state.ts";
import { Lease, type LeaseOptions } from "./lease.ts";

/** What a {@link Node} is made with. */
export interface NodeOptions extends LeaseOptions {
  state: Pick<SharedState, "begin" | "beat" | "exit" | "drop">;
  redis: Pick<Redis, "isUp" | "onChange">;
  /** What other servers can read of this one: JSON text. */
  totals: () => string;
  /** Whether a server said that it was about to end. */
  wasPlanned: (node: string) => boolean;
  log: (entry: LogEntry) => void;
}

/** What depends on a node's lease. */
export interface NodeListener {
  /**
   * States again all that this server has told the others: its connection was down, or its lease is a
   * new one. Resolves when it has been stated, as far as the connection allows. Never rejects.
   *
   * @returns whether Redis has taken all of it.
   */
  restate(): Promise<boolean>;
  /** The connection works and the lease is valid: what failed can be tried again. */
  retry(): void;
}

/**
 * This process among the servers: it renews its lease, and drops the users of others whose lease has
 * expired. When its own was lost, it states all it knows under the next one.
 */
export class Node {
  readonly #options: NodeOptions;
  readonly #lease: Lease;
  readonly #listeners = new Set<NodeListener>();
  readonly #changed = new Set<() => void>();
  /** Names of this process whose lease was lost, and whose users may be held still. */
  readonly #formerNames: string[] = [];
  #isStopped = false;
  #isBeating = false;
  #hasMissed = false;
  /** One statement of everything after the other. */
  #restating: Promise<void> = Promise.resolve();
  #standsStillSince: number | undefined;
  #cancel = () => {};
  #stopListening = () => {};

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#lease = new Lease(options);
  }

  /** The name under which this server holds users; undefined before its first lease. */
  get name(): string | undefined {
    return this.#lease.name;
  }

  /** Whether calls make sense now: Redis is connected. A call whose lease is over answers "lost". */
  get isUp(): boolean {
    return this.name !== undefined && this.#options.redis.isUp && !this.#isStopped;
  }

  /** The names of the servers that live, this one included, as of the last beat. */
  get nodes(): readonly string[] {
    return this.#lease.nodes;
  }

  /** When the shared data will be settled, in milliseconds from now; 0: they are. */
  get unsettledMs(): number {
    return this.#lease.unsettledMs;
  }

  /** Since when this server knows nothing of the others, in milliseconds since 1970; undefined while it does. */
  get standsStillSince(): number | undefined {
    return this.#standsStillSince;
  }

  /** Redis' clock, by the last beat and the time since. */
  redisNow(): number {
    return this.#lease.redisNow();
  }

  /** Adds what depends on the lease. @returns remove */
  add(listener: NodeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Is called when {@link standsStillSince} or {@link nodes} changed. @returns unsubscribe */
  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  /** Takes a lease and keeps it. @throws {Error} when Redis does not answer. */
  async start(): Promise<void> {
    await this.#begin();
    const { redis } = this.#options;
    this.#stopListening = redis.onChange((isUp) => {
      if (isUp) this.#beatNow();
      else this.#missed();
    });
    this.#schedule();
  }

  /** The lease was found lost by a call under a name. */
  lost(name: string): void {
    if (name === this.name) this.#beatNow();
  }

  /** Ends the lease within some milliseconds and beats no more: this server's users have that time to return elsewhere. */
  async exit(afterMs: number): Promise<void> {
    this.stop();
    const { log, state, totals } = this.#options;
    if (this.name === undefined) return;
    try {
      await state.beat(this.name, totals());
      await state.exit(this.name, afterMs);
    } catch (error) {
      const message =
        "The other servers do not know of this stop and wait for the end of the lease";
      log({ level: "warn", message, error });
    }
  }

  /** Beats no more; the lease ends by itself. */
  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    this.#cancel();
  }

  #schedule(): void {
    this.#cancel();
    if (this.#isStopped) return;
    this.#cancel = this.#options.clock.after(this.#options.beatMs, () => this.#beatNow());
  }

  #beatNow(): void {
    if (this.#isBeating || this.#isStopped) return;
    this.#isBeating = true;
    this.#renew()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#isBeating = false;
        this.#schedule();
      });
  }

  async #renew(): Promise<void> {
    const { clock, redis, state, totals } = this.#options;
    if (!redis.isUp || this.name === undefined) return this.#missed();
    const sentAt = clock.now();
    const beat = await state.beat(this.name, totals());
    if (this.#isStopped) return;
    if (beat === "lost" || this.#lease.isOlderThan(beat)) return await this.#replace();
    this.#lease.renewed(beat, sentAt, this.#hasMissed);
    if (this.#hasMissed) this.#restateNext();
    else for (const listener of this.#listeners) listener.retry();
    for (const name of this.#lease.droppable) await this.#drop(name);
    this.#emit();
  }

  /**
   * Takes a new lease, states everything under it, and drops what is held under the former one: that was
   * lost, or Redis has lost some of what was held and released under it.
   */
  async #replace(): Promise<void> {
    const { name } = this;
    if (name !== undefined && this.#formerNames.at(-1) !== name) {
      this.#formerNames.push(name);
      this.#options.log({ level: "warn", message: "The lease of this server was lost" });
    }
    await this.#begin();
    this.#restateNext();
  }

  /** Beside the beats: hundreds of thousands of users take longer to state than a lease lasts. */
  #restateNext(): void {
    this.#hasMissed = false;
    this.#restating = this.#restating
      .then(() => this.#restate())
      .catch((error) => this.#failed(error));
  }

  async #begin(): Promise<void> {
    const { clock, state, totals } = this.#options;
    const sentAt = clock.now();
    const beat = await state.begin(this.#lease.nextName, totals());
    this.#lease.taken(beat, sentAt);
  }

  async #restate(): Promise<void> {
    // Those of leases that are lost meanwhile have to wait until all is stated under the next one.
    const former = [...this.#formerNames];
    const listeners = [...this.#listeners];
    const areStated = await Promise.all(listeners.map((listener) => listener.restate()));
    // What Redis has refused, as when its memory is full, is held under the former name only.
    if (former.length > 0 && areStated.includes(false)) this.#hasMissed = true;
    if (this.#hasMissed || !this.isUp) return;
    if (this.#standsStillSince !== undefined) {
      this.#standsStillSince = undefined;
      this.#options.log({ level: "info", message: "The other servers are reached again" });
    }
    for (const name of former) {
      await this.#options.state.exit(name, 0);
      await this.#drop(name);
      this.#formerNames.splice(this.#formerNames.indexOf(name), 1);
    }
    this.#emit();
  }

  async #drop(name: string): Promise<void> {
    const { log, state, wasPlanned } = this.#options;
    while (this.isUp && await state.drop(name));
    // Before the data are settled, nothing is dropped where some were lost.
    if (wasPlanned(name) || this.#lease.livesOn(name) || this.unsettledMs > 0) return;
    log({ level: "warn", message: "A server was lost", server: name });
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    if (!this.#hasMissed) {
      this.#options.log({ level: "warn", message: "Redis did not answer", error });
    }
    this.#missed();
  }

  #missed(): void {
    this.#hasMissed = true;
    if (this.#standsStillSince !== undefined) return;
    this.#standsStillSince = this.#options.clock.date();
    this.#options.log({ level: "error", message: "Redis is not reached: the numbers stand still" });
    this.#emit();
  }

  #emit(): void {
    for (const listener of this.#changed) listener();
  }
}
