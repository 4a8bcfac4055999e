import type { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import {
  type AlertCounts,
  type AlertSetting,
  type AlertState,
  countedOf,
  dueAt,
  type EnteredPhase,
  enterPhase,
  follow,
  newPhaseState,
  type PhaseState,
  readAlert,
  readAlertSetting,
  type ReadSetting,
  setAlert,
  viewOf,
} from "./stored_alert.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { WriteQueue } from "../database/write_queue.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import { addUndelivered } from "../database/webhook_outbox.ts";
import type { LogEntry } from "@/realtime/server.ts";
import type { Webhook } from "@/realtime/app_config.ts";
import type { OwnWebhookEvent, PreparedEvent } from "@/realtime/webhooks/webhooks.ts";
import {
  type AlertChannel,
  crossingEvent,
  privateAddressText,
  testBody,
  type TestOutcome,
} from "./alert_webhook.ts";
import { type ChannelPresence, followCounts } from "../presence/channel_presence.ts";
import type { AlertView, Threshold } from "@/shared/alert.ts";

/** How long a crossing waits before it is written, in ms. */
const writeDelayMs = 50;

/** Crossings that wait for a database that fails; beyond, the oldest are lost. */
const maxWaiting = 1_000;

/** Options of an {@link AlertWatch}. */
interface AlertWatchOptions {
  database: Database;
  /** The key of the counted channel. */
  channel?: string;
  /** Stored with each crossing; called again when that failed. */
  inTransaction?: InTransaction<AlertState>;
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
    const { inTransaction, channel, crossed, database, failed, recovery, term } = options;
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
          enterPhase(transaction, entered, inTransaction, channel);
        const state = await (term ? term.within(enter) : database.exclusively(enter));
        if (!state) return;
        this.#store(state);
        crossed(state);
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
  async change(setting: AlertSetting, inTransaction?: InTransaction<AlertSetting>): Promise<void> {
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
    const due = dueAt(setting, this.#phaseState);
    if (due !== null) this.#cancelTimer = this.#clock.after(due - now, () => this.#follow());
  }
}

/** Options of a {@link ThresholdAlert}. */
export interface ThresholdAlertOptions {
  database: Database;
  channel: AlertChannel & { key: string };
  /** The members of the channel. */
  presence: ChannelPresence;
  /** Whether an admin has a page open that shows the alert. */
  isWatched: () => boolean;
  /** Sends the alert to these pages. */
  publish: (view: AlertView) => void;
  /** Prepares an event for a webhook, signed with the secret of the pages' own app. */
  prepareWebhook: (event: OwnWebhookEvent, webhook: Webhook) => PreparedEvent;
  /** Sends the body of a test to a URL, signed likewise. */
  sendTest: (url: string, body: string) => Promise<TestOutcome>;
  log: (entry: LogEntry) => void;
  /** See {@link AlertWatchOptions.recovery}. */
  recovery: AlertWatchOptions["recovery"];
  /** Whether a webhook may be sent to a URL. Default: to all. */
  mayReceive?: (url: string) => Promise<boolean>;
  clock?: Clock;
  /** See {@link AlertWatchOptions.term}. */
  term?: AlertWatchOptions["term"];
  /** Called after the setting was changed or a crossing stored here: other servers have to reload. */
  changed?: () => unknown;
}

/** The alert at a number of users of a counted channel: reports crossings to its webhook and to admins' pages. */
export class ThresholdAlert {
  readonly #options: ThresholdAlertOptions;
  readonly #watch: AlertWatch;
  readonly #stopListening: () => void;

  /** @throws {Error} when the alert cannot be read. */
  static async open(options: ThresholdAlertOptions): Promise<ThresholdAlert> {
    const { channel, clock, database, log, prepareWebhook, presence, recovery, term } = options;
    let prepared: PreparedEvent | undefined;
    const watch = await AlertWatch.open(presence.counts.users, {
      database,
      channel: channel.key,
      clock,
      recovery,
      ...term && { term },
      async inTransaction(transaction, { setting: { webhookUrl: url }, crossings: [crossing] }) {
        prepared = undefined;
        if (url === undefined) return;
        prepared = prepareWebhook(crossingEvent(channel, crossing), { url });
        await addUndelivered(transaction, [prepared.stored]);
      },
      crossed() {
        prepared?.deliver();
        void alert.#changed();
      },
      failed: (error) =>
        log({ level: "error", message: "A crossing of the alert could not be stored", error }),
    }, presence.counts.guests);
    const alert = new ThresholdAlert(options, watch);
    return alert;
  }

  private constructor(options: ThresholdAlertOptions, watch: AlertWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#stopListening = followCounts(options.presence, ({ users, active, guests }) => {
      const { isWaiting } = this.view;
      watch.changed(users, active, guests);
      if (this.view.isWaiting !== isWaiting && options.isWatched()) options.publish(this.view);
    });
  }

  /** The webhook that receives crossings, if there is one. */
  get webhooks(): readonly Webhook[] {
    const url = this.state?.setting.webhookUrl;
    return url === undefined ? [] : [{ url, events: [] }];
  }

  /** The setting and the last crossings; null when the alert was never set. */
  get state(): AlertState | null {
    return this.#watch.state;
  }

  /** See {@link AlertWatch.view}. */
  get view(): AlertView {
    return this.#watch.view;
  }

  /**
   * Sets the alert, and updates the admins' pages that are open.
   *
   * @param input an `AlertSetting`, not validated.
   */
  async change(input: unknown, inTransaction?: InTransaction<AlertSetting>): Promise<ReadSetting> {
    const result = readAlertSetting(input);
    if (!result.ok) return result;
    const { mayReceive } = this.#options;
    const { webhookUrl } = result.setting;
    if (webhookUrl !== undefined && mayReceive && !await mayReceive(webhookUrl)) {
      return { ok: false, field: "webhookUrl", message: privateAddressText };
    }
    await this.#watch.change(result.setting, inTransaction);
    await this.#changed();
    return result;
  }

  /** See {@link AlertWatch.reload}. */
  reload(): Promise<void> {
    return this.#watch.reload();
  }

  /** See {@link AlertWatch.begin}. */
  begin(): Promise<void> {
    return this.#watch.begin();
  }

  /** See {@link AlertWatch.pause}. */
  pause(): Promise<void> {
    return this.#watch.pause();
  }

  /** Sends a webhook a test: the event that an alert with this threshold would send now. */
  test(url: string, threshold: Omit<Threshold, "holdSeconds">): Promise<TestOutcome> {
    const { channel, clock = systemClock, presence, sendTest } = this.#options;
    const counts = { ...presence.counts, active: presence.active };
    return sendTest(url, testBody(channel, threshold, countedOf(threshold, counts), clock.date()));
  }

  /**
   * Follows the number no longer; resolves when the crossings are stored. Call it before the server closes
   * its sockets.
   */
  async stop(): Promise<void> {
    this.#stopListening();
    await this.#watch.stop();
  }

  async #changed(): Promise<void> {
    const { changed, isWatched, publish } = this.#options;
    if (isWatched()) publish(this.view);
    await changed?.();
  }
}
