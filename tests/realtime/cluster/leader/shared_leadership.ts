import type { SharedState } from "@/realtime/cluster/state/shared_state.ts";
import type { Clock } from "@/realtime/timing/clock.ts";

/** What happens to the requests of a node. */
export interface Network {
  /** In each direction. */
  delayMs?: number;
  /** Requests fail and are not carried out. */
  isCut?: boolean;
  /** Requests fail and are carried out. */
  losesAnswers?: boolean;
}

/** Leadership as Redis keeps it, by its own clock. */
export class SharedLeadership implements Pick<SharedState, "lead" | "resign"> {
  readonly #clock: Clock;
  #lease: { node: string; until: number } | undefined;
  resigned = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The node whose lease is valid now. */
  get holder(): string | undefined {
    return this.#lease && this.#clock.now() < this.#lease.until ? this.#lease.node : undefined;
  }

  lead(node: string, ms: number): Promise<boolean> {
    const isGiven = this.holder === undefined || this.holder === node;
    if (isGiven) this.#lease = { node, until: this.#clock.now() + ms };
    return Promise.resolve(isGiven);
  }

  resign(node: string): Promise<void> {
    this.resigned++;
    if (this.#lease?.node === node) this.#lease = undefined;
    return Promise.resolve();
  }

  /** The same, as a node reaches it over a network that a test changes. */
  seenThrough(network: Network, clock: FrozenClock): Pick<SharedState, "lead" | "resign"> {
    const call = async <Answer>(carryOut: () => Promise<Answer>): Promise<Answer> => {
      const isCut = network.isCut;
      await this.#pass(network.delayMs ?? 0);
      if (isCut) throw new Error("The connection is cut");
      const answer = await carryOut();
      const isLost = network.losesAnswers;
      await this.#pass(network.delayMs ?? 0);
      await clock.whenContinued();
      if (isLost) throw new Error("The answer is lost");
      return answer;
    };
    return {
      lead: (node, ms) => call(() => this.lead(node, ms)),
      resign: (node) => call(() => this.resign(node)),
    };
  }

  #pass(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => this.#clock.after(milliseconds, resolve));
  }
}

/** A node's clock, which runs at its own speed; its process can be frozen, and then its timers are late. */
export class FrozenClock implements Clock {
  readonly #simulation: Clock;
  readonly #speed: number;
  #late: (() => void)[] = [];
  isFrozen = false;

  constructor(simulation: Clock, speed = 1) {
    this.#simulation = simulation;
    this.#speed = speed;
  }

  now = () => this.#simulation.now() * this.#speed;
  date = () => this.#simulation.date();

  after(milliseconds: number, callback: () => void): () => void {
    let isCancelled = false;
    const call = () => {
      if (isCancelled) return;
      if (this.isFrozen) this.#late.push(call);
      else callback();
    };
    const cancel = this.#simulation.after(milliseconds / this.#speed, call);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  freeze(): void {
    this.isFrozen = true;
  }

  /** Calls back what is late. */
  continue(): void {
    this.isFrozen = false;
    for (const call of this.#late.splice(0)) call();
  }

  /** Resolves at once, or when the process is not frozen any more. */
  whenContinued(): Promise<void> {
    if (!this.isFrozen) return Promise.resolve();
    return new Promise((resolve) => this.#late.push(resolve));
  }
}
