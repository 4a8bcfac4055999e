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
import type { Crossing } from "../../shared/alert.ts";

/** After a start the users have to come back first; so long no crossing is seen, in ms. */
const settleMs = 30_000;

const writeDelayMs = 50;

/** Changes of side that are held for a database that fails. */
const heldObservations = 1_000;

/** What the watch works with. */
export interface AlertWatchOptions {
  database: Database;
  /** Hears of each crossing once, after it is stored. */
  crossed(crossing: Crossing, setting: AlertSetting): void;
  /** Hears why a crossing could not be stored; it is tried again. */
  failed(error: unknown): void;
  clock?: Clock;
}

/** What became of a change of the alert. */
export type AlertChange =
  | { ok: true; state: AlertState }
  | { ok: false; field: string; message: string };

/** Watches the number of users for crossings of the set number. */
export class AlertWatch {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #observations: WriteQueue<Observation>;
  #alert: AlertState | null;
  /** The side of the last count, stored or on its way. */
  #side: Side | undefined;
  #users: number;
  #stopped = false;
  #cancelSettling: (() => void) | undefined;

  /**
   * Watches from now on, when so many users are online. A crossing that happened while the server did
   * not run is told half a minute later, if it still is one.
   *
   * @throws {Error} when the alert cannot be read.
   */
  static async open(users: number, options: AlertWatchOptions): Promise<AlertWatch> {
    return new AlertWatch(users, options, await readAlert(options.database));
  }

  private constructor(users: number, options: AlertWatchOptions, alert: AlertState | null) {
    const { database, crossed, failed, clock = systemClock } = options;
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
      capacity: heldObservations,
      delayMs: writeDelayMs,
    });
    if (alert?.setting.enabled) {
      this.#cancelSettling = clock.after(settleMs, () => {
        this.#cancelSettling = undefined;
        this.#look();
      });
    }
  }

  /** What the alert is set to, if it was ever set; after the stop as well. */
  get setting(): AlertSetting | null {
    return this.#alert?.setting ?? null;
  }

  /** The number of users changed. Never throws. */
  changed(users: number): void {
    this.#users = users;
    if (!this.#cancelSettling) this.#look();
  }

  /** Sets the alert to an `AlertSetting`. The number of now is no crossing, whatever it is. */
  async change(input: unknown, alongside?: AlongsideAlert): Promise<AlertChange> {
    const parsed = alertSettingSchema.safeParse(input);
    if (!parsed.success) {
      const [{ path, message }] = parsed.error.issues;
      return { ok: false, field: path.join("."), message };
    }
    // What was crossed until now is told as what it was.
    await this.#observations.flush();
    const state = await setAlert(this.#database, parsed.data, this.#users, alongside);
    this.#alert = state;
    this.#side = state.side;
    // The number may have changed meanwhile.
    if (!this.#cancelSettling) this.#look();
    return { ok: true, state };
  }

  /**
   * Stores what was seen, as far as the database takes it, and sees nothing more. Never rejects. To be
   * called before the server closes its sockets: that users leave then is no crossing.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelSettling?.();
    await this.#observations.stop();
  }

  #look(): void {
    if (this.#stopped || !this.#alert?.setting.enabled) return;
    const side = sideOf(this.#alert.setting, this.#users);
    if (side === this.#side) return;
    this.#side = side;
    const { version } = this.#alert;
    this.#observations.add({ users: this.#users, at: this.#clock.date(), version });
  }
}
