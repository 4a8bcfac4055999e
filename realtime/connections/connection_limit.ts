import type { Connection } from "./connection.ts";

/** What a {@link ConnectionLimit} is made with. */
export interface ConnectionLimitOptions {
  /** How many connections the app may have over all servers; 0: any number. */
  max: () => number;
  /** How many are open here. */
  count: () => number;
  /** States that number. @returns how many are open over all servers; undefined while that is unknown */
  state: (count: number) => Promise<number | undefined>;
  /** How many are open at the other servers that answer. Must not reject. */
  elsewhere: () => Promise<number>;
  refuse: (connection: Connection) => void;
}

/**
 * An app's limit of connections over several servers. A connection opens at once; the server whose
 * statement exceeds the limit closes those that it has opened since the one before. Servers that do not
 * answer count no more, as their clients are about to come to others, and would not try again.
 */
export class ConnectionLimit {
  readonly #options: ConnectionLimitOptions;
  /** Since the last statement. */
  readonly #newcomers = new Set<Connection>();
  #stated = 0;
  #isRunning = false;

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
  }

  /** A connection opened. */
  opened(connection: Connection): void {
    if (this.#options.max() > 0) this.#newcomers.add(connection);
    this.changed();
  }

  /** A connection was released. */
  released(connection: Connection): void {
    this.#newcomers.delete(connection);
    this.changed();
  }

  /** The limit may be another one. */
  changed(): void {
    if (this.#isRunning || this.#options.max() === 0) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** One statement after the other. */
  async #run(): Promise<void> {
    const { count, state } = this.#options;
    // What changes in this turn of the event loop is one change.
    await undefined;
    while (this.#newcomers.size > 0 || this.#stated !== count()) {
      const newcomers = [...this.#newcomers];
      this.#newcomers.clear();
      this.#stated = count();
      const total = await state(this.#stated);
      if (newcomers.length > 0 && total !== undefined) await this.#limit(newcomers, total);
    }
    this.#isRunning = false;
  }

  async #limit(newcomers: readonly Connection[], total: number): Promise<void> {
    const { count, elsewhere, max, refuse } = this.#options;
    if (max() === 0 || total <= max()) return;
    const stated = this.#stated;
    const others = await elsewhere();
    // Who has closed meanwhile makes room, and is not refused in the place of one who is open.
    const now = Math.min(total - Math.max(0, stated - count()), count() + others);
    const excess = now - max();
    if (max() === 0 || excess <= 0) return;
    for (const connection of newcomers.filter(({ isOpen }) => isOpen).slice(-excess)) {
      refuse(connection);
    }
  }
}
