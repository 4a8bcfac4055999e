import type { LogEntry } from "../../server.ts";
import { type Clock, systemClock } from "../../timing/clock.ts";
import type { SharedState } from "../state/shared_state.ts";

/** Until when a node may be the leader, by its own clock; `-Infinity`: it is not. */
type LeaderUntil = number;

/** The state of a node that is not the leader. */
export const notLeader: LeaderUntil = -Infinity;

/** The part of a lease that is not used: clocks may differ in speed by as much. */
const margin = 0.05;

/** What became of a request for leadership. Times are in milliseconds, by the clock of the node. */
interface LeadershipReply {
  /** When the node began to ask: the engine begins the lease later. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** "unknown": the request failed, and may have been carried out nevertheless. */
  readonly answer: "given" | "refused" | "unknown";
}

/**
 * Until when the node is the leader after an answer. Pure. A node stops being the leader before its lease ends in the engine,
 * as it counts from before the request; a lease of which it learns too late is none.
 *
 * @param leaseMs the time for which it asked.
 */
export function leaderUntil(
  until: LeaderUntil,
  { askedAt, answeredAt, answer }: LeadershipReply,
  leaseMs: number,
): LeaderUntil {
  if (answer === "refused") return notLeader;
  const next = answer === "given" ? askedAt + leaseMs * (1 - margin) : until;
  return next > answeredAt ? next : notLeader;
}

/** Options of a {@link Leadership}. */
export interface LeadershipOptions {
  state: SharedState;
  /** The name of the process now, whose lease is valid; undefined: it has none. No other process has it. */
  node: () => string | undefined;
  /** The node is the leader from now on. Must not throw or reject. */
  started: () => void;
  /**
   * The node must no longer be the leader: its tasks end. Resolves when they have. Must not throw or reject.
   */
  ended: () => Promise<void>;
  log: (entry: LogEntry) => void;
  clock?: Clock;
  /** How long leadership lasts without a renewal, in milliseconds. Default 5,000. */
  leaseMs?: number;
}

/** Requests in the time of a lease: after a death, the successor begins a lease and one pause later. */
const requestsPerLease = 8;

/**
 * Takes over leadership of an installation as soon as it is free, and keeps it. No two nodes are the leader at the same
 * time: a node that cannot renew its lease stops before the lease ends.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  #until: LeaderUntil = notLeader;
  /** The name under which it asked last. */
  #node = "";
  /** Whether `started` was called, and `ended` was not. */
  #isActive = false;
  #isStopped = false;
  #asking: Promise<void> = Promise.resolve();
  #ending: Promise<void> = Promise.resolve();
  #cancelRequest = () => {};
  #cancelEnd = () => {};

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = options.leaseMs ?? 5_000;
  }

  /** Whether the node is the leader at this moment; exact also when its timers are late. */
  get isLeader(): boolean {
    return this.#isActive && this.#clock.now() < this.#until;
  }

  /** Begins to ask for leadership. Call it once. */
  start(): void {
    this.#ask();
  }

  /**
   * Ends the tasks, and then gives up leadership, so that a successor need not wait for the end of the
   * lease. Resolves at the end of the lease at the latest, or with the answer of the engine. Never rejects.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRequest();
    const until = this.#until;
    this.#end();
    // A request under way may still give it leadership, which is given up then.
    await this.#asking;
    if (await this.#isLater(this.#ending, until)) return;
    try {
      await this.#options.state.resign(this.#node);
    } catch {
      // The lease ends by itself.
    }
  }

  #ask(): void {
    const askedAt = this.#clock.now();
    this.#asking = this.#request().then((answer) => {
      this.#answered({ askedAt, answer });
      if (this.#isStopped) return;
      const pause = this.#leaseMs / requestsPerLease - (this.#clock.now() - askedAt);
      this.#cancelRequest = this.#clock.after(Math.max(0, pause), () => this.#ask());
    });
  }

  async #request(): Promise<"given" | "refused" | "unknown"> {
    const { state, node } = this.#options;
    const name = node();
    if (name === undefined) return "unknown";
    this.#node = name;
    try {
      return await state.lead(this.#node, this.#leaseMs) ? "given" : "refused";
    } catch {
      return "unknown";
    }
  }

  #answered(
    { askedAt, answer }: { askedAt: number; answer: "given" | "refused" | "unknown" },
  ): void {
    const answeredAt = this.#clock.now();
    this.#until = leaderUntil(this.#until, { askedAt, answeredAt, answer }, this.#leaseMs);
    if (this.#until === notLeader) return this.#end();
    if (this.#isStopped) return;
    this.#cancelEnd();
    this.#cancelEnd = this.#clock.after(this.#until - answeredAt, () => this.#end());
    if (this.#isActive) return;
    this.#isActive = true;
    const { log, started } = this.#options;
    log({ level: "info", message: "This server is the leader", node: this.#node });
    started();
  }

  #end(): void {
    this.#cancelEnd();
    this.#until = notLeader;
    if (!this.#isActive) return;
    this.#isActive = false;
    const { log, ended } = this.#options;
    const level = this.#isStopped ? "info" : "warn";
    log({ level, message: "This server is no longer the leader", node: this.#node });
    this.#ending = ended();
  }

  /** Whether a promise is not fulfilled at a time. */
  #isLater(promise: Promise<void>, at: number): Promise<boolean> {
    return new Promise((resolve) => {
      const wait = Math.max(0, at - this.#clock.now());
      const cancel = this.#clock.after(wait, () => resolve(true));
      promise.then(() => {
        cancel();
        resolve(false);
      });
    });
  }
}
