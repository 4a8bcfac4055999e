import type { LogEntry } from "../../server.ts";
import { type Clock, systemClock } from "../../timing/clock.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { type LoggedEvent, readEntry } from "./log_entry.ts";
import type { SharedLog } from "../engine.ts";

/**
 * Is called with each event, in their order; an event comes again after a failure. The entry is
 * acknowledged when all listeners' promises are fulfilled. One that rejects is left to the next leader.
 */
export type LogListener = (logged: LoggedEvent) => Promise<void>;

/** Options of an {@link EventLog}. */
export interface EventLogOptions {
  shared: SharedLog;
  /** The name under which the process is the leader. */
  node: () => string | undefined;
  listeners: readonly LogListener[];
  /** Whether listeners have room for more: if not, no entry is read. Default: always. */
  hasRoom?: () => boolean;
  /**
   * The next entry is of a later release: it stays in the log, unacknowledged, with all that follow, and no more
   * entries are handed out. Must not throw.
   */
  outdated: () => void;
  /** The data in the engine is new or older than it was: the log may lack events. Must not throw. */
  lost: () => void;
  log: (entry: LogEntry) => void;
  clock?: Clock;
  /** Between two looks for new entries, in milliseconds. Default 50. */
  pollMs?: number;
  /** Entries that are read at once. Default 500. */
  batchSize?: number;
  /** Above as many entries that listeners are not done with, none is read. Default 150,000. */
  maxOpen?: number;
}

/** After a failure, in milliseconds. */
const retryMs = 200;

/**
 * Reads the log that all nodes share, while its node is the leader: from `start` to `stop`. It begins with what
 * the leader before had not acknowledged.
 */
export class EventLog {
  readonly #options: Required<EventLogOptions>;
  readonly #acknowledgements: Acknowledgements;
  /** The last entry that was handed out. */
  #last = "0-0";
  /** Whether there may be entries after the last one that a failed call has taken from the log. */
  #isBehind = true;
  /** When the data set began that was read last; undefined: none was. */
  #began: string | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isStopped = false;
  #wake = () => {};
  #waiting: ((isCaughtUp: boolean) => void)[] = [];
  readonly #reported = new Set<string>();

  constructor(options: EventLogOptions) {
    const numbers = { pollMs: 50, batchSize: 500, maxOpen: 150_000 };
    const defaults = { clock: systemClock, hasRoom: () => true, ...numbers };
    this.#options = { ...defaults, ...options };
    this.#acknowledgements = new Acknowledgements(options.shared);
  }

  /** Begins to read. Call it once. */
  start(): void {
    this.#reading = this.#read();
  }

  /**
   * Resolves when every entry was handed out that was in the log at the time of the call.
   *
   * @returns false when the log is read no more.
   */
  caughtUp(): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wake();
    });
  }

  /** How many entries are handed out and not acknowledged. */
  get open(): number {
    return this.#acknowledgements.open;
  }

  /** Hands out nothing more. Resolves when no call is under way. Never rejects. */
  async pause(): Promise<void> {
    this.#isStopped = true;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
    this.#wake();
    await this.#reading;
  }

  /**
   * Reads no further, and acknowledges what listeners are done with; call it when they will not be done
   * with more. Never rejects.
   */
  async stop(): Promise<void> {
    await this.pause();
    // What listeners were done with a moment ago is known after all promises between.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      await this.#acknowledgements.send();
    } catch (error) {
      this.#report("Events of the log could not be acknowledged", error);
    }
  }

  async #read(): Promise<void> {
    while (!this.#isStopped) await this.#pause(await this.#step());
  }

  /** @returns how long to wait before the next one, in milliseconds */
  async #step(): Promise<number> {
    const { batchSize, hasRoom, maxOpen, pollMs } = this.#options;
    try {
      await this.#acknowledgements.send();
      if (this.#acknowledgements.open >= maxOpen || !hasRoom()) return pollMs;
      const waiting = this.#isBehind ? [] : [...this.#waiting];
      const count = await this.#readSome();
      await this.#acknowledgements.trim();
      this.#reported.delete("The log of events could not be read");
      if (count === batchSize) return 0;
      this.#waiting = this.#waiting.filter((resolve) => !waiting.includes(resolve));
      for (const resolve of waiting) resolve(true);
      return this.#waiting.length > 0 ? 0 : pollMs;
    } catch (error) {
      this.#isBehind = true;
      this.#report("The log of events could not be read", error);
      return retryMs;
    }
  }

  /** @returns how many entries were read */
  async #readSome(): Promise<number> {
    const { batchSize, node, shared } = this.#options;
    const from = this.#isBehind ? this.#last : ">";
    const part = await shared.read(node() ?? "", from, batchSize);
    if (part === "not_leading") throw new Error("this server is not the leader");
    // They are for the next leader, which reads them as they were not acknowledged.
    if (this.#isStopped) return 0;
    const { isNew, began, lines } = part;
    this.#lookForLoss(isNew, began);
    for (const [id, fields] of lines) {
      if (!this.#isStopped) this.#handOut(id, fields);
    }
    if (this.#isBehind && lines.length < batchSize) {
      this.#isBehind = false;
      return batchSize;
    }
    return lines.length;
  }

  /** The answer that told of new data may have been lost, but not when they began. */
  #lookForLoss(isNew: boolean, began: string): void {
    const isOther = this.#began !== undefined && began !== this.#began;
    this.#began = began;
    if (isNew) {
      this.#acknowledgements.forget();
      this.#last = "0-0";
    }
    if (isNew || isOther) this.#options.lost();
  }

  #handOut(id: string, fields: readonly string[] | null): void {
    const { listeners } = this.#options;
    const entry = readEntry(id, fields ?? []);
    if ("fault" in entry && entry.fault === "later") {
      void this.pause();
      return this.#options.outdated();
    }
    this.#last = id;
    this.#acknowledgements.began(id);
    if ("fault" in entry) {
      // An entry that was not acknowledged may have been removed from a log that became too long.
      this.#report("Entries of the log are skipped", undefined, fields ? entry.fault : "removed");
      return this.#acknowledgements.ended(id);
    }
    Promise.all(listeners.map((listener) => listener(entry.logged))).then(
      () => this.#acknowledgements.ended(id),
      (error) => this.#report("An event of the log was not taken", error),
    );
  }

  #pause(milliseconds: number): Promise<void> {
    if (this.#isStopped || milliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(milliseconds, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Logs a fault once, until it is over. */
  #report(message: string, error?: unknown, cause?: string): void {
    const key = cause === undefined ? message : `${message}: ${cause}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const level = cause === undefined ? "error" : "warn";
    this.#options.log({ level, message, ...cause ? { cause } : { error } });
  }
}
