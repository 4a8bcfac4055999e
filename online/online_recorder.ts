import { onlineChannel } from "../channels.ts";
import type { Database } from "../database/database.ts";
import type { App, LogEntry, RealtimeServer, ServerEvent } from "../realtime/server.ts";
import { ActivityExpiry } from "./activity/activity_expiry.ts";
import { ActivityLog } from "./activity/activity_log.ts";
import { Heartbeat, lastAlive } from "./heartbeat.ts";
import { History } from "./history/history.ts";
import { HistoryRecorder } from "./history/history_recorder.ts";
import type { Interval } from "./history/interval.ts";
import { type Clock, systemClock } from "../realtime/timing/clock.ts";
import type { WriteQueue } from "../database/write_queue.ts";
import { activityRecorder, type PresenceChange } from "./activity/activity_recorder.ts";
import type { AccountsOf } from "./accounts_by_id.ts";
import type { RecoveryWatch } from "./recovery_watch.ts";
import type { Activity } from "../shared/online.ts";

/** Options of an {@link OnlineRecorder}. */
export interface OnlineRecorderOptions {
  database: Database;
  realtime: Pick<RealtimeServer, "onServerEvent">;
  /** The app of the pages. */
  ownApp: () => Pick<App, "members" | "presence" | "onPresence">;
  /** The history begins when it is over: until then the number is of those who are back. */
  recovery: Pick<RecoveryWatch, "whenOver">;
  /** Whether pages connect to this server; with an external Pusher server nothing is recorded. */
  isCountedHere: boolean;
  /** The app whose online channel is recorded. */
  appId: string;
  accountsOf: AccountsOf;
  /** Called with each join and leave after it is stored. Must not throw. */
  onStored: (entry: Activity) => void;
  /** How many days the activity log keeps its entries; 0 keeps them forever. */
  activityDays: number;
  log: (entry: LogEntry) => void;
  clock?: Clock;
}

/**
 * Records how many users are online, and who joins and leaves, from `begin` to `stop`. Users who were
 * online when a process before it ended are recorded as having left with the reason `server_restart`,
 * at the last time at which that process is known to have run.
 */
export class OnlineRecorder {
  readonly history: History;
  readonly activity: ActivityLog;
  readonly #options: OnlineRecorderOptions;
  readonly #clock: Clock;
  readonly #recorder: WriteQueue<PresenceChange>;
  #counting: HistoryRecorder | undefined;
  #counted: Promise<void> | undefined;
  #heartbeat: Heartbeat | undefined;
  #stopCounting = () => {};
  #stopListening = () => {};
  #expiry: ActivityExpiry | undefined;

  constructor(options: OnlineRecorderOptions) {
    const { database, accountsOf, onStored, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.history = new History(database);
    this.activity = new ActivityLog(database);
    this.#recorder = activityRecorder({
      log: this.activity,
      accountsOf,
      onStored,
      failed: (error) => this.#failed("The activity log could not be written", error),
      clock,
    });
  }

  /** What is counted but not stored yet, for reading the history up to now. */
  unsaved(): Interval[] {
    return this.#counting?.unsaved() ?? [];
  }

  /**
   * Begins to record. Call it once the server listens: a second process that is started by mistake and
   * finds its port taken must not record that the users of the first one left.
   *
   * @throws {Error} when the database fails.
   */
  async begin(): Promise<void> {
    const { database, ownApp, realtime, isCountedHere, activityDays: days } = this.#options;
    if (!isCountedHere) return;
    const until = await lastAlive(database) ?? this.#clock.date();
    await this.activity.closeOpen(until, "server_restart");
    // No await up to the listener: each user is recorded once.
    for (const { userId, member, since } of ownApp().members(onlineChannel)) {
      this.#recorder.add({ change: "joined", at: since, userId, member });
    }
    this.#stopListening = realtime.onServerEvent((event, { id }) => {
      if (id === this.#options.appId) this.#record(event);
    });
    const stopWaiting = this.#options.recovery.whenOver(() => this.#count());
    if (!this.#counting) this.#stopCounting = stopWaiting;
    const clock = this.#clock;
    const failed = (error: unknown) => this.#failed("The database could not be written", error);
    this.#heartbeat = new Heartbeat(database, { failed, clock });
    if (days > 0) this.#expiry = new ActivityExpiry(this.activity, { days, failed, clock });
  }

  /** Ends counting and stores the count. Call it before sockets are closed, so that the history shows no drop. */
  stopCounting(): Promise<void> {
    this.#stopCounting();
    return this.#counted ??= this.#counting?.stop() ?? Promise.resolve();
  }

  /** Stores what is left, as far as the database allows, and records nothing more. Never rejects. */
  async stop(): Promise<void> {
    await this.stopCounting();
    this.#stopListening();
    await this.#recorder.stop();
    await this.#expiry?.stop();
    await this.#heartbeat?.stop();
  }

  #count(): void {
    const ownApp = this.#options.ownApp();
    const counting = new HistoryRecorder(ownApp.presence(onlineChannel), {
      history: this.history,
      failed: (error) => this.#failed("The history could not be written", error),
      clock: this.#clock,
    });
    this.#counting = counting;
    this.#stopCounting = ownApp.onPresence(onlineChannel, (counts) => counting.changed(counts));
  }

  #record(event: ServerEvent): void {
    const at = this.#clock.date();
    if (event.name === "member_added" && event.channel === onlineChannel) {
      const { userId, member } = event;
      this.#recorder.add({ change: "joined", at, userId, member });
    }
    if (event.name === "member_removed" && event.channel === onlineChannel) {
      const { userId, member, reason } = event;
      this.#recorder.add({ change: "left", at, userId, member, reason });
    }
  }

  #failed(message: string, error: unknown): void {
    this.#options.log({ level: "error", message, error });
  }
}
