import type { Clock } from "../../timing/clock.ts";
import type { Heartbeat } from "../state/shared_state.ts";

/** In how many heartbeats after an outage all servers have registered their users again. */
const resyncHeartbeats = 3;

/**
 * After how many heartbeats without one this process was paused, and perhaps all others with it: their leases
 * have expired, and they are about to come back.
 */
const pausedHeartbeats = 3;

/** What a {@link Lease} is made with. Times are in milliseconds. */
export interface LeaseOptions {
  clock: Clock;
  /** The number of this process, which no other one has. */
  number: number;
  /** How long a server is taken to live after its last heartbeat. */
  leaseMs: number;
  heartbeatMs: number;
}

/**
 * The lease of this process, as the engine answered its last heartbeat: its name, the time, and whose users may be
 * dropped. A lease that was lost is never renewed; the next one has another name.
 */
export class Lease {
  readonly #options: LeaseOptions;
  #incarnation = 0;
  #name: string | undefined;
  #heartbeat: Heartbeat | undefined;
  /** By the own clock, when the last heartbeat was sent that was answered. */
  #heartbeatAt = 0;
  /** By the engine's clock, since when the lease is valid and this process has sent heartbeats without an interruption. */
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

  /** The engine gave the lease of {@link nextName}. @param sentAt when that was asked, by the own clock */
  taken(heartbeat: Heartbeat, sentAt: number): void {
    this.#name = this.nextName;
    this.#incarnation++;
    this.#beganAt = heartbeat.beganAt;
    this.renewed(heartbeat, sentAt, true);
  }

  /** The engine renewed the lease. @param wasInterrupted whether this process missed a heartbeat before this one */
  renewed(heartbeat: Heartbeat, sentAt: number, wasInterrupted: boolean): void {
    const sinceLastMs = this.#heartbeat ? heartbeat.now - this.#heartbeat.now : 0;
    const wasPaused = sinceLastMs > pausedHeartbeats * this.#options.heartbeatMs;
    this.#heartbeat = heartbeat;
    this.#heartbeatAt = sentAt;
    if (wasInterrupted || wasPaused) this.#validSince = heartbeat.now;
  }

  /** Whether the lease was taken before the data set of a heartbeat began, which lacks some of what was registered. */
  isOlderThan({ beganAt }: Heartbeat): boolean {
    return beganAt > this.#beganAt;
  }

  /** The names of the servers that live, this one included, as of the last heartbeat. */
  get nodes(): readonly string[] {
    return this.#heartbeat?.nodes ?? [];
  }

  /** When the shared data will be settled, in milliseconds from now; 0: they are. */
  get unsettledMs(): number {
    if (!this.#heartbeat) return 0;
    return Math.max(0, this.#heartbeat.beganAt + this.#options.leaseMs - this.sharedNow());
  }

  /** The engine's clock, by the last heartbeat and the time since. */
  sharedNow(): number {
    const { now = this.#options.clock.date() } = this.#heartbeat ?? {};
    return now + (this.#options.clock.now() - this.#heartbeatAt);
  }

  /**
   * The servers whose users this one drops: servers whose lease has expired, but only when the own lease is
   * older than one. After an outage of the engine all leases have expired, and the others are about to come back.
   * For servers that stopped as planned, three heartbeats suffice: the others have registered by then who has moved to
   * them.
   */
  get droppable(): readonly string[] {
    if (!this.#heartbeat) return [];
    const { heartbeatMs, leaseMs } = this.#options;
    const { exited, expired, now } = this.#heartbeat;
    const validMs = now - this.#validSince;
    return validMs > leaseMs ? expired : validMs > resyncHeartbeats * heartbeatMs ? exited : [];
  }
}
