import type { Clock } from "../../timing/clock.ts";
import type { Beat } from "../state/shared_state.ts";

/** In how many beats after an outage all servers have stated their users again. */
const restateBeats = 3;

/**
 * After how many beats without one this process stood still, and perhaps all others with it: their leases have
 * expired, and they are about to come back.
 */
const standstillBeats = 3;

/** What a {@link Lease} is made with. Times are in milliseconds. */
export interface LeaseOptions {
  clock: Clock;
  /** The number of this process, which no other one has. */
  number: number;
  /** How long a server is taken to live after its last beat. */
  leaseMs: number;
  beatMs: number;
}

/**
 * The lease of this process, as Redis answered its last beat: its name, the time, and whose users may be
 * dropped. A lease that was lost is never renewed; the next one has another name.
 */
export class Lease {
  readonly #options: LeaseOptions;
  #incarnation = 0;
  #name: string | undefined;
  #beat: Beat | undefined;
  /** By the own clock, when the last beat was sent that was answered. */
  #beatAt = 0;
  /** By Redis' clock, since when the lease is valid and this process has beaten without an interruption. */
  #validSince = Infinity;
  /** When the data set began under which the lease was taken. */
  #beganAt = 0;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Undefined before the first lease. */
  get name(): string | undefined {
    return this.#name;
  }

  /** The name of the lease that is taken next. */
  get nextName(): string {
    return `${this.#options.number}.${this.#incarnation + 1}`;
  }

  /** Whether the process of a lease lives under another name. */
  livesOn(name: string): boolean {
    const [number] = name.split(".");
    return this.nodes.some((node) => node !== name && node.split(".")[0] === number);
  }

  /** Redis gave the lease of {@link nextName}. @param sentAt when that was asked, by the own clock */
  taken(beat: Beat, sentAt: number): void {
    this.#name = this.nextName;
    this.#incarnation++;
    this.#beganAt = beat.beganAt;
    this.renewed(beat, sentAt, true);
  }

  /** Redis renewed the lease. @param wasInterrupted whether this process missed a beat before this one */
  renewed(beat: Beat, sentAt: number, wasInterrupted: boolean): void {
    const sinceLastMs = this.#beat ? beat.now - this.#beat.now : 0;
    const stoodStill = sinceLastMs > standstillBeats * this.#options.beatMs;
    this.#beat = beat;
    this.#beatAt = sentAt;
    if (wasInterrupted || stoodStill) this.#validSince = beat.now;
  }

  /** Whether the lease was taken before the data set of a beat began, which lacks some of what was stated. */
  isOlderThan({ beganAt }: Beat): boolean {
    return beganAt > this.#beganAt;
  }

  /** The names of the servers that live, this one included, as of the last beat. */
  get nodes(): readonly string[] {
    return this.#beat?.nodes ?? [];
  }

  /** When the shared data will be settled, in milliseconds from now; 0: they are. */
  get unsettledMs(): number {
    if (!this.#beat) return 0;
    return Math.max(0, this.#beat.beganAt + this.#options.leaseMs - this.redisNow());
  }

  /** Redis' clock, by the last beat and the time since. */
  redisNow(): number {
    const { now = this.#options.clock.date() } = this.#beat ?? {};
    return now + (this.#options.clock.now() - this.#beatAt);
  }

  /**
   * The servers whose users this one drops: of those whose lease has expired, but only when the own lease is
   * older than one. After an outage of Redis all leases have expired, and the others are about to come back.
   * For servers that stopped as planned, three beats suffice: the others have stated by then who has moved to
   * them.
   */
  get droppable(): readonly string[] {
    if (!this.#beat) return [];
    const { beatMs, leaseMs } = this.#options;
    const { exited, expired, now } = this.#beat;
    const validMs = now - this.#validSince;
    return validMs > leaseMs ? expired : validMs > restateBeats * beatMs ? exited : [];
  }
}
