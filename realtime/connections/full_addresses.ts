import type { LogEntry } from "../options.ts";
import type { Clock } from "../timing/clock.ts";

/** How often a line is logged while addresses are full, in milliseconds. */
const everyMs = 60_000;

/** Addresses that are told apart within that time; a stranger can have any number of them. */
const maxAddresses = 1_000;

/** What to do, as the line says it. Behind a proxy that is not trusted, all clients have its address. */
const remedy = "behind a proxy, set TRUSTED_PROXIES to its address; otherwise raise the setting";

/**
 * Logs that addresses have reached their limit of connections: at the first refused socket, and then once a
 * minute for as long as further ones are refused, because refused clients try again each second.
 */
export class FullAddresses {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #log: (entry: LogEntry) => void;
  readonly #refused = new Map<string, number>();
  #count = 0;
  #cancel: (() => void) | undefined;

  /** @param limit connections that one address may have */
  constructor(limit: number, clock: Clock, log: (entry: LogEntry) => void) {
    this.#limit = limit;
    this.#clock = clock;
    this.#log = log;
  }

  /** Counts a refused socket of an address. */
  count(address: string): void {
    this.#count++;
    const refusals = this.#refused.get(address);
    if (refusals !== undefined || this.#refused.size < maxAddresses) {
      this.#refused.set(address, (refusals ?? 0) + 1);
    }
    if (!this.#cancel) this.#report();
  }

  /** Logs no more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #report(): void {
    this.stop();
    if (this.#count === 0) return;
    const [[address] = [""]] = [...this.#refused].sort(([, one], [, other]) => other - one);
    this.#log({
      level: "warn",
      message: `Connections of an address are refused: ${remedy}`,
      refused: this.#count,
      address,
      addresses: this.#refused.size,
      limit: this.#limit,
      setting: "MAX_CONNECTIONS_PER_ADDRESS",
    });
    this.#count = 0;
    this.#refused.clear();
    this.#cancel = this.#clock.after(everyMs, () => this.#report());
  }
}
