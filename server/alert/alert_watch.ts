import type { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { WriteQueue } from "../database/write_queue.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import type { AlertView } from "@/shared/alert.ts";
import {
  type AlertCounts,
  type AlertSetting,
  type AlertState,
  countedOf,
  dueAt,
  type EnteredAlert,
  type EnteredPhase,
  enterPhase,
  follow,
  newPhaseState,
  type PhaseState,
  readAlert,
  setAlert,
  type ToldCrossing,
  viewOf,
} from "./stored_alert.ts";
import { isQuiet } from "./alert_schemas.ts";

/** How long a crossing waits before it is written, in ms. */
const writeDelayMs = 50;

/** How often it is looked whether quiet hours are over, in ms. */
const quietLookMs = 15_000;

/** Crossings that wait for a database that fails; beyond, the oldest are lost. */
const maxWaiting = 1_000;

/** Options of an {@link AlertWatch}. */
export interface AlertWatchOptions {
  database: Database;
  /** The key of the counted channel. */
  channel?: string;
  /** Stored with each crossing that is told; called again when that failed. */
  tell?: InTransaction<ToldCrossing>;
  /** Called once after each crossing is stored, as the newest of the state. */
  crossed(state: AlertState): void;
  /** Called when a crossing cannot be stored; the write is retried. */
  failed(error: unknown): void;
  /** The number is followed once it is over: before, it counts the users who are back. */
  recovery: RecoveryWatch;
  clock?: Clock;
  /**
   * Of several servers, which follow the number while they are the leader; absent: this one is the only one, and
   * follows it from the start on.
   */
  term?: LeaderTerm;
}

/**
 * Watches the number of users for crossings of the threshold. Where several servers share a database,
 * one of them follows the number; the others keep the alert up to date with {@link AlertWatch.reload}.
 */
export class AlertWatch {
  readonly #database: Database;
  readonly #channel: string | undefined;
  readonly #clock: Clock;
  readonly #entered: WriteQueue<EnteredPhase>;
  #alert: AlertState | null;
  /** Its phase is stored, or about to be. */
  #phaseState: PhaseState;
  #counts: AlertCounts;
  /** Counts what was stored, so that a reading from before is not taken for newer. */
  #stores = 0;
  #follows: boolean;
  /** Whether crossings that could not be stored are left to the server that follows the number next. */
  #isPaused = false;
  #stopped = false;
  #isRecovering = true;
  /** Whether it is on its way to the database that a phase is told that quiet hours have kept back. */
  #isTellingLate = false;
  #cancelTimer = () => {};
  readonly #stopWaiting: () => void;

  /**
   * Starts watching. What happened while the server did not run is reported if the count, once it has
   * recovered, holds for as long as the alert says.
   *
   * @param users how many users are online now, with how many guests among them.
   * @throws {Error} when the alert cannot be read.
   */
  static async open(users: number, options: AlertWatchOptions, guests = 0): Promise<AlertWatch> {
    const alert = await readAlert(options.database, options.channel);
    return new AlertWatch({ users, guests, active: null }, options, alert);
  }

  private constructor(counts: AlertCounts, options: AlertWatchOptions, alert: AlertState | null) {
    const { tell, channel, crossed, database, failed, recovery, term } = options;
    const { clock = systemClock } = options;
    this.#database = database;
    this.#channel = channel;
    this.#clock = clock;
    this.#counts = counts;
    this.#follows = !term;
    this.#alert = alert;
    this.#phaseState = newPhaseState(alert?.phase ?? "normal");
    this.#entered = new WriteQueue<EnteredPhase>({
      write: async ([entered]) => {
        if (this.#isPaused) return;
        const enter = (transaction: Kysely<Tables>) =>
          enterPhase(transaction, entered, tell, channel);
        const state = await (term ? term.within(enter) : database.exclusively(enter));
        this.#isTellingLate = false;
        if (!state) return;
        this.#store(state);
        crossed(state);
        if (state.told) this.#follow();
      },
      failed,
      clock,
      batchSize: 1,
      capacity: maxWaiting,
      delayMs: writeDelayMs,
    });
    this.#stopWaiting = recovery.whenOver(() => {
      this.#isRecovering = false;
      this.#follow();
    });
  }

  /** The state as it is stored; null when the alert was never set. Remains readable after `stop`. */
  get state(): AlertState | null {
    return this.#alert;
  }

  /** What a page shows of the alert. */
  get view(): AlertView {
    return viewOf(this.#alert, this.#counts);
  }

  /**
   * Takes the new number of users, and of the guests among them. Never throws.
   *
   * @param active how many of them are active; null while no tab reports it.
   */
  changed(users: number, active: number | null = null, guests = 0): void {
    // The number until now may have held long enough, and the timer be late.
    this.#follow();
    this.#counts = { users, active, guests };
    this.#follow();
  }

  /** Sets the alert; how long the number has held counts from now. */
  async change(setting: EnteredAlert, inTransaction?: InTransaction<AlertSetting>): Promise<void> {
    // Crossings up to now belong to the setting before.
    await this.#entered.flush();
    const [database, counts, channel] = [this.#database, this.#counts, this.#channel];
    const state = await setAlert(database, setting, counts, inTransaction, channel);
    this.#store(state);
    this.#phaseState = newPhaseState(state.phase);
    this.#follow();
  }

  /**
   * Takes the alert as it is stored: another server may have set it, or found a crossing. How long the
   * number has held counts on, unless the setting was changed.
   *
   * @throws {Error} when it cannot be read.
   */
  async reload(): Promise<void> {
    await this.#entered.flush();
    const stores = this.#stores;
    const state = await readAlert(this.#database, this.#channel);
    // What was stored meanwhile is newer.
    if (this.#stores !== stores) return;
    const phase = state?.phase ?? "normal";
    const isSame = state?.version === this.#alert?.version && phase === this.#phaseState.phase;
    this.#alert = state;
    if (!isSame || !this.#follows) this.#phaseState = newPhaseState(phase);
    this.#follow();
  }

  /**
   * Begins to follow the number, with the alert as it is stored. What happened while no server followed
   * it is reported if the number holds for as long as the alert says.
   *
   * @throws {Error} when the alert cannot be read; then it does not follow.
   */
  async begin(): Promise<void> {
    await this.reload();
    this.#follows = true;
    this.#isPaused = false;
    this.#isTellingLate = false;
    this.#follow();
  }

  /** Follows the number no longer, until {@link begin}; stores the crossings as {@link stop} does. */
  async pause(): Promise<void> {
    this.#follows = false;
    this.#cancelTimer();
    await this.#entered.flush();
    this.#isPaused = !this.#follows;
  }

  /**
   * Stores the crossings, as far as the database allows, and follows the number no longer. Never rejects.
   * Call it before the server closes its sockets: users who leave by that are not a crossing.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    this.#stopWaiting();
    await this.#entered.stop();
  }

  #store(state: AlertState): void {
    this.#alert = state;
    this.#stores++;
  }

  #follow(): void {
    if (this.#stopped || !this.#follows || this.#isRecovering) return;
    this.#cancelTimer();
    if (!this.#alert?.setting.enabled) return;
    const { setting, version } = this.#alert;
    const { phase: before } = this.#phaseState;
    const { users, ...guests } = countedOf(setting, this.#counts);
    const now = this.#clock.now();
    this.#phaseState = follow(setting, this.#phaseState, { users, at: now });
    const { phase } = this.#phaseState;
    if (users !== null && phase !== before) {
      this.#entered.add({ phase, users, ...guests, at: this.#clock.date(), version });
    }
    const isOwed = this.#alert.told !== undefined && this.#alert.phase === phase;
    if (isOwed && users !== null) this.#tellLate({ phase, users, ...guests, version });
    const due = dueAt(setting, this.#phaseState);
    const waits = [...due === null ? [] : [due - now], ...isOwed ? [quietLookMs] : []];
    if (waits.length === 0) return;
    this.#cancelTimer = this.#clock.after(Math.min(...waits), () => this.#follow());
  }

  /** Tells a phase that quiet hours have kept back, once they are over. */
  #tellLate(owed: Omit<EnteredPhase, "at">): void {
    const quiet = this.#alert?.setting.quiet;
    const at = this.#clock.date();
    if (this.#isTellingLate || quiet && isQuiet(quiet, at)) return;
    this.#isTellingLate = true;
    this.#entered.add({ ...owed, at });
  }
}
