import type { Database } from "../../database/database.ts";
import {
  type AlertSetting,
  alertSettingSchema,
  type AlertState,
  type AlongsideAlert,
  type Observation,
  observe,
  readAlert,
  setAlert,
  type Side,
  sideOf,
} from "./alert.ts";
import { type Clock, systemClock } from "../../realtime/timing/clock.ts";
import { WriteQueue } from "../../database/write_queue.ts";
import type { RecoveryWatch } from "../recovery_watch.ts";
import type { Crossing } from "../../shared/alert.ts";

/** How long an observation waits before it is written, in ms. */
const writeDelayMs = 50;

/** Observations that wait for a database that fails; beyond, the oldest are lost. */
const maxWaiting = 1_000;

/** Options of an {@link AlertWatch}. */
export interface AlertWatchOptions {
  database: Database;
  /** Called once with each crossing, after it is stored. */
  crossed(crossing: Crossing, setting: AlertSetting): void;
  /** Called when a crossing cannot be stored; the write is retried. */
  failed(error: unknown): void;
  /** Crossings wait until it is over: before, the number of users is of those who are back. */
  recovery: Pick<RecoveryWatch, "whenOver">;
  clock?: Clock;
}

/** The outcome of a change of the alert: its new state, or the field that is invalid. */
export type AlertChange =
  | { ok: true; state: AlertState }
  | { ok: false; field: string; message: string };

/** Watches the number of users for crossings of the threshold. */
export class AlertWatch {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #observations: WriteQueue<Observation>;
  #alert: AlertState | null;
  /** The side of the last count, stored or about to be. */
  #side: Side | undefined;
  #users: number;
  #stopped = false;
  #isRecovering = true;
  readonly #stopWaiting: () => void;

  /**
   * Starts watching. A crossing that happened while the server did not run is reported when the number
   * has recovered, if it still is one.
   *
   * @param users how many users are online now.
   * @throws {Error} when the alert cannot be read.
   */
  static async open(users: number, options: AlertWatchOptions): Promise<AlertWatch> {
    return new AlertWatch(users, options, await readAlert(options.database));
  }

  private constructor(users: number, options: AlertWatchOptions, alert: AlertState | null) {
    const { database, crossed, failed, recovery, clock = systemClock } = options;
    this.#database = database;
    this.#clock = clock;
    this.#users = users;
    this.#alert = alert;
    this.#side = alert?.side;
    this.#observations = new WriteQueue<Observation>({
      async write([observation]) {
        const found = await observe(database, observation);
        if (found) crossed(found.crossing, found.setting);
      },
      failed,
      clock,
      batchSize: 1,
      capacity: maxWaiting,
      delayMs: writeDelayMs,
    });
    this.#stopWaiting = recovery.whenOver(() => {
      this.#isRecovering = false;
      this.#observe();
    });
  }

  /** What the alert is set to; null when it was never set. Remains readable after `stop`. */
  get setting(): AlertSetting | null {
    return this.#alert?.setting ?? null;
  }

  /** Takes the new number of users. Never throws. */
  changed(users: number): void {
    this.#users = users;
    this.#observe();
  }

  /**
   * Sets the alert. The present number of users is not a crossing.
   *
   * @param input an `AlertSetting`, not validated.
   */
  async change(input: unknown, alongside?: AlongsideAlert): Promise<AlertChange> {
    const parsed = alertSettingSchema.safeParse(input);
    if (!parsed.success) {
      const [{ path, message }] = parsed.error.issues;
      return { ok: false, field: path.join("."), message };
    }
    // Crossings up to now belong to the setting before.
    await this.#observations.flush();
    const state = await setAlert(this.#database, parsed.data, this.#users, alongside);
    this.#alert = state;
    this.#side = state.side;
    // The number of users may have changed while the setting was stored.
    this.#observe();
    return { ok: true, state };
  }

  /**
   * Stores what was observed, as far as the database allows, and observes nothing more. Never rejects.
   * Call it before the server closes its sockets: users who leave by that are not a crossing.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopWaiting();
    await this.#observations.stop();
  }

  #observe(): void {
    if (this.#isRecovering || this.#stopped || !this.#alert?.setting.enabled) return;
    const side = sideOf(this.#alert.setting, this.#users);
    if (side === this.#side) return;
    this.#side = side;
    const { version } = this.#alert;
    this.#observations.add({ users: this.#users, at: this.#clock.date(), version });
  }
}
