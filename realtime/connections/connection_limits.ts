import type { AppSettings } from "../app_config.ts";
import type { Broker } from "../brokers/broker.ts";
import type { Clock } from "../timing/clock.ts";
import type { Connection } from "./connection.ts";

/** How many there may be at once. */
interface AddressQuotaLimits {
  /** Of all remote addresses. */
  max: number;
  /** Of one remote address; 0: no limit. */
  maxPerAddress: number;
}

/** Counts what clients make the server keep, such as sockets, in total and by remote address. */
export class AddressQuota {
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: AddressQuotaLimits;
  #size = 0;

  constructor(limits: AddressQuotaLimits) {
    this.#limits = limits;
  }

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of addresses that have any. */
  get addresses(): number {
    return this.#ofAddress.size;
  }

  /** Whether there are as many as there may be. */
  get isFull(): boolean {
    return this.#size >= this.#limits.max;
  }

  /** Whether there is no room for a further one of an address, which may be unknown. */
  isFullFor(address: string | undefined): boolean {
    const { maxPerAddress } = this.#limits;
    if (this.isFull) return true;
    if (address === undefined || maxPerAddress === 0) return false;
    return (this.#ofAddress.get(address) ?? 0) >= maxPerAddress;
  }

  /** Counts a new one. */
  add(address: string | undefined): void {
    this.#size++;
    if (address === undefined) return;
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
  }

  /** Counts one that is gone. */
  delete(address: string | undefined): void {
    this.#size--;
    if (address === undefined) return;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
}

/** What an app's connections are limited with, by a {@link ConnectionLimit} and by an `AppAdmission`. */
export interface AppAdmissionOptions {
  /** The app's rules as they are now. */
  settings: () => Pick<AppSettings, "enabled" | "joinTimeoutMs" | "maxConnections">;
  /** How many connections are open here. */
  count: () => number;
  broker: Pick<Broker, "connections" | "isShared">;
  /** How many are open at the other servers that answer. Must not reject. */
  remote: () => Promise<number>;
  clock: Clock;
}

/**
 * An app's limit of connections over several servers. A connection opens at once; the server whose
 * report exceeds the limit closes the connections that it has opened since the previous report. Servers that do not
 * answer count no more, as their clients are about to come to others, and would not try again.
 */
export class ConnectionLimit {
  readonly #options: AppAdmissionOptions;
  readonly #refuse: (connection: Connection) => void;
  /** Since the last report. */
  readonly #pending = new Set<Connection>();
  #reported = 0;
  #isRunning = false;

  constructor(options: AppAdmissionOptions, refuse: (connection: Connection) => void) {
    this.#options = options;
    this.#refuse = refuse;
  }

  /** A connection opened: it is the one to close if the next report exceeds the limit. */
  opened(connection: Connection): void {
    if (this.#max > 0) this.#pending.add(connection);
    this.changed();
  }

  /** A connection was released. */
  released(connection: Connection): void {
    this.#pending.delete(connection);
    this.changed();
  }

  /** The limit may be another one. */
  changed(): void {
    if (this.#isRunning || this.#max === 0) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** How many connections the app may have over all servers; 0: any number. */
  get #max(): number {
    return this.#options.settings().maxConnections;
  }

  /** One report after the other. */
  async #run(): Promise<void> {
    const { broker, count } = this.#options;
    // What changes in this tick of the event loop is one change.
    await undefined;
    while (this.#pending.size > 0 || this.#reported !== count()) {
      const pending = [...this.#pending];
      this.#pending.clear();
      this.#reported = count();
      const total = await broker.connections(this.#reported);
      if (pending.length > 0 && total !== undefined) await this.#limit(pending, total);
    }
    this.#isRunning = false;
  }

  async #limit(pending: readonly Connection[], total: number): Promise<void> {
    const { count, remote } = this.#options;
    if (this.#max === 0 || total <= this.#max) return;
    const reported = this.#reported;
    const others = await remote();
    // Who has closed meanwhile makes room, and is not refused in the place of one who is open.
    const now = Math.min(total - Math.max(0, reported - count()), count() + others);
    const excess = now - this.#max;
    if (this.#max === 0 || excess <= 0) return;
    for (const connection of pending.filter(({ isOpen }) => isOpen).slice(-excess)) {
      this.#refuse(connection);
    }
  }
}
