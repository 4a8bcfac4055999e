import type { Database } from "../database/database.ts";
import type { LogEntry, RealtimeServer } from "../realtime/server.ts";
import { ActivityExpiry } from "./activity/activity_expiry.ts";
import { ActivityLog } from "./activity/activity_log.ts";
import { ChannelRecorder, type RecordedChannel } from "./channel_recorder.ts";
import { Heartbeat, lastAlive } from "./heartbeat.ts";
import type { RecordedHistory } from "./history/history_report.ts";
import { type Clock, systemClock } from "../realtime/timing/clock.ts";
import type { WriteQueue } from "../database/write_queue.ts";
import { activityRecorder, type PresenceChange } from "./activity/activity_recorder.ts";
import type { AccountsOf } from "./accounts_by_id.ts";
import type { Activity } from "../shared/online.ts";

/** Options of an {@link OnlineRecorder}. */
export interface OnlineRecorderOptions {
  database: Database;
  realtime: Pick<RealtimeServer, "onServerEvent">;
  /** The counted channels. */
  channels: readonly RecordedChannel[];
  /** Whether pages connect to this server; with an external Pusher server nothing is recorded. */
  isCountedHere: boolean;
  accountsOf: AccountsOf;
  /** Called with each join and leave after it is stored. Must not throw. */
  onStored: (entry: Activity, channel: string) => void;
  /** How many days the activity log keeps its entries; 0 keeps them forever. */
  activityDays: number;
  log: (entry: LogEntry) => void;
  clock?: Clock;
}

/**
 * Records how many users are in the counted channels, and who joins and leaves, from `begin` to `stop`.
 * Users who were online when a process before it ended are recorded as having left with the reason
 * `server_restart`, at the last time at which that process is known to have run.
 */
export class OnlineRecorder {
  readonly activity: ActivityLog;
  readonly #options: OnlineRecorderOptions;
  readonly #clock: Clock;
  readonly #recorder: WriteQueue<PresenceChange>;
  /** By the keys of their channels. */
  readonly #channels: ReadonlyMap<string, ChannelRecorder>;
  #heartbeat: Heartbeat | undefined;
  #stopListening = () => {};
  #expiry: ActivityExpiry | undefined;

  constructor(options: OnlineRecorderOptions) {
    const { channels, database, accountsOf, onStored, clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.activity = new ActivityLog(database);
    this.#recorder = activityRecorder({
      log: this.activity,
      accountsOf,
      onStored,
      failed: (error) => this.#failed("The activity log could not be written", error),
      clock,
    });
    this.#channels = new Map(channels.map((channel) => [
      channel.key,
      new ChannelRecorder(channel, {
        database,
        record: (change) => this.#recorder.add(change),
        failed: (error) => this.#failed("The history could not be written", error),
        clock,
      }),
    ]));
  }

  /**
   * The history of a channel, up to now.
   *
   * @throws {Error} when the channel is not counted.
   */
  historyOf(channel: string): RecordedHistory {
    const recorder = this.#channels.get(channel);
    if (!recorder) throw new Error(`The channel ${channel} is not counted`);
    return recorder;
  }

  /**
   * Begins to record. Call it once the server listens: a second process that is started by mistake and
   * finds its port taken must not record that the users of the first one left.
   *
   * @throws {Error} when the database fails.
   */
  async begin(): Promise<void> {
    const { database, realtime, isCountedHere, activityDays: days } = this.#options;
    if (!isCountedHere) return;
    const until = await lastAlive(database) ?? this.#clock.date();
    await this.activity.closeOpen(until, "server_restart");
    // No await up to the listener: each user is recorded once.
    const recorders = [...this.#channels.values()];
    for (const recorder of recorders) recorder.begin();
    this.#stopListening = realtime.onServerEvent((event, { id }) => {
      for (const recorder of recorders) recorder.take(event, id);
    });
    const clock = this.#clock;
    const failed = (error: unknown) => this.#failed("The database could not be written", error);
    this.#heartbeat = new Heartbeat(database, { failed, clock });
    if (days > 0) this.#expiry = new ActivityExpiry(this.activity, { days, failed, clock });
  }

  /** Ends counting and stores the counts. Call it before sockets are closed, so that histories show no drop. */
  async stopCounting(): Promise<void> {
    await Promise.all(this.#channels.values().map((recorder) => recorder.stopCounting()));
  }

  /** Stores what is left, as far as the database allows, and records nothing more. Never rejects. */
  async stop(): Promise<void> {
    await this.stopCounting();
    this.#stopListening();
    for (const recorder of this.#channels.values()) recorder.stop();
    await this.#recorder.stop();
    await this.#expiry?.stop();
    await this.#heartbeat?.stop();
  }

  #failed(message: string, error: unknown): void {
    this.#options.log({ level: "error", message, error });
  }
}
