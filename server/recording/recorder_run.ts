import type { ServerEvent } from "@/realtime/server.ts";
import type { WriteQueue } from "../database/write_queue.ts";
import { activityRecorder, type PresenceChange } from "../activity/activity_recorder.ts";
import { LogExpiry } from "../database/log_expiry.ts";
import type { ActivityLog } from "../activity/activity_log.ts";
import { SharedActivity } from "../activity/activity.ts";
import { ChannelRecorder } from "./channel_recorder.ts";
import { DailyRollUp } from "../history/daily_numbers.ts";
import { Heartbeat, lastAlive } from "./heartbeat.ts";
import type { History } from "../history/stored_history.ts";
import type { Interval } from "../history/minute_measure.ts";
import type { OnlineRecorderOptions } from "./online_recorder.ts";
import { ActivityReconciler, type SharedPresence } from "./activity_reconciler.ts";

/** Changes that wait for a database that fails; while they do, they are also in the log. */
const maxLogged = 200_000;

/** An event's place in the log of all servers. */
export interface LogPlace {
  /** The id of the entry. */
  readonly id: string;
  /** When it happened, in ms since 1970. */
  readonly at: number;
}

/** The recording of who is online, from `begin` to `stop`. */
export class RecorderRun {
  readonly #options: OnlineRecorderOptions;
  readonly #activity: ActivityLog;
  readonly #recorder: WriteQueue<PresenceChange>;
  readonly #channels: ReadonlyMap<string, ChannelRecorder>;
  readonly #checks = new Map<string, ActivityReconciler>();
  #heartbeat: Heartbeat | undefined;
  #stopListening = () => {};
  #expiry: LogExpiry | undefined;
  #rollUp: DailyRollUp | undefined;
  readonly #histories: ReadonlyMap<string, History>;

  /**
   * @param histories by the keys of their channels.
   * @param shared what several servers know together; absent: this one is the only one.
   */
  constructor(
    options: OnlineRecorderOptions,
    activity: ActivityLog,
    histories: ReadonlyMap<string, History>,
    shared?: SharedPresence,
  ) {
    const { accountsOf, channels, clock, isCertain = () => true, onStored, term } = options;
    this.#options = options;
    this.#activity = activity;
    this.#histories = histories;
    this.#recorder = activityRecorder({
      log: term ? new SharedActivity(term) : activity,
      accountsOf,
      onStored,
      clock,
      ...term && { capacity: maxLogged },
      failed: (error) => this.#failed("The activity log could not be written", error),
    });
    const recorder = this.#recorder;
    const failed = (error: unknown) => this.#failed("The history could not be written", error);
    this.#channels = new Map(channels.map((channel) => {
      const history = histories.get(channel.key)!;
      return [
        channel.key,
        new ChannelRecorder(channel, history, recorder, failed, clock, () => isCertain(channel)),
      ];
    }));
    if (!shared) return;
    const notChecked = (error: unknown) =>
      this.#failed("The activity log could not be compared with the members", error);
    for (const channel of channels) {
      const check = { channel, shared, activity, recorder, failed: notChecked, clock };
      this.#checks.set(channel.key, new ActivityReconciler(check));
    }
  }

  /** What is counted of a channel and not stored yet. */
  unsaved(channel: string): Interval[] {
    return this.#channels.get(channel)?.unsaved() ?? [];
  }

  /** Stores at once what waits to be stored of some users, as far as the database allows. Never rejects. */
  async storeWaiting(userIds: ReadonlySet<string>): Promise<void> {
    const waits = this.#recorder.waiting.some(({ userId }) => userIds.has(userId));
    if (waits) await this.#recorder.flush();
  }

  /** Begins as the only server: users who were online before left with the previous server. */
  async begin(): Promise<void> {
    const { clock, database, realtime } = this.#options;
    const until = await lastAlive(database) ?? clock.date();
    await this.#activity.closeOpen(until, "server_restart");
    // No await up to the listener: each user is recorded once.
    const recorders = [...this.#channels.values()];
    for (const recorder of recorders) recorder.begin();
    this.#stopListening = realtime.onServerEvent((event, { id }) => {
      for (const recorder of recorders) {
        if (recorder.isOf(event, id)) recorder.take(event, clock.date());
      }
    });
    this.#beginUpkeep();
  }

  /** Continues what another server recorded: users who are still there stay. */
  async continue(): Promise<void> {
    const { clock, database } = this.#options;
    const until = await lastAlive(database) ?? clock.date();
    for (const recorder of this.#channels.values()) recorder.beginCounting();
    this.check(until);
    this.#beginUpkeep();
  }

  /** Takes an event of the log of all servers. Resolves when it is stored. */
  take(event: ServerEvent, appId: string, { id, at }: LogPlace): Promise<void> {
    for (const recorder of this.#channels.values()) {
      if (!recorder.isOf(event, appId)) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!recorder.take(event, at, { id, stored: resolve })) break;
      if ("userId" in event) this.#checks.get(recorder.channel.key)?.logged(event.userId!);
      return promise;
    }
    return Promise.resolve();
  }

  /** Records what the log does not have: it may have lost entries. See {@link ActivityReconciler.begin}. */
  check(leftAt?: number): void {
    for (const check of this.#checks.values()) check.begin(leftAt);
  }

  /** Ends counting and stores the counts. */
  async stopCounting(): Promise<void> {
    await Promise.all(this.#channels.values().map((recorder) => recorder.stopCounting()));
  }

  /** Stores what is left, as far as the database allows, and records nothing more. Never rejects. */
  async stop(): Promise<void> {
    await this.stopCounting();
    this.#stopListening();
    for (const recorder of this.#channels.values()) recorder.stop();
    await Promise.all(this.#checks.values().map((check) => check.stop()));
    await this.#recorder.stop();
    await this.#expiry?.stop();
    await this.#rollUp?.stop();
    await this.#heartbeat?.stop();
  }

  #beginUpkeep(): void {
    const { activityDays: days, clock, database } = this.#options;
    const failed = (error: unknown) => this.#failed("The database could not be written", error);
    this.#heartbeat = new Heartbeat(database, { failed, clock });
    if (days > 0) this.#expiry = new LogExpiry(this.#activity, days, failed, clock);
    const { term, timeZone = "UTC" } = this.#options;
    const sources = [...this.#histories].map(([channel, history]) => (
      { database, channel, history, timeZone, activityDays: days, term }
    ));
    const notSummed = (error: unknown) =>
      this.#failed("The numbers of a day could not be stored", error);
    this.#rollUp = new DailyRollUp(sources, notSummed, clock);
  }

  #failed(message: string, error: unknown): void {
    this.#options.log({ level: "error", message, error });
  }
}
