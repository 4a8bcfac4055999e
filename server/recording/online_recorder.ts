/**
 * Records the counted channels: joins and leaves into the activity, and the number into the history.
 *
 * An `OnlineRecorder` lives as long as the server. What it records between a beginning and an end is a
 * `RecorderRun`, with a `ChannelRecorder` for each channel and a heartbeat, which stores every ten seconds
 * that the server runs. A single server has one run. Of several, the leader has one each time it is the leader, and
 * takes what happened from the log of all servers; `leader_tasks.ts` begins and ends it, together with
 * webhooks and alerts.
 *
 * The promises: each join has one leave. After a kill, the next server closes what was open, at the time of
 * the last heartbeat. A new leader compares who has joined and not left with the members (`activity_reconciler.ts`),
 * and adds what the log has lost. The history begins only when users are back after a start, and ends before
 * a stop closes sockets, so that neither shows as a drop.
 *
 * `partition_watch.ts` is here because it, too, compares servers by what they store: it finds out that this server
 * alone has lost Redis.
 *
 * The trade-off: with several servers, activity and history reach pages a moment later than the number,
 * through Redis' log, the leader and its database. In return, one server writes, in one order.
 *
 * @module
 */
import { usesExternalServer } from "../config/client_options.ts";
import type { Core } from "../core.ts";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import type { LogEntry, RealtimeServer, ServerEvent } from "@/realtime/server.ts";
import { type ActivityEntry, ActivityLog } from "../activity/activity_log.ts";
import { entryLog } from "../observability/logging.ts";
import type { LiveView } from "../live_view/live_view.ts";
import type { RecordedChannel } from "./channel_recorder.ts";
import { History } from "../history/stored_history.ts";
import type { RecordedHistory } from "../history/history_report.ts";
import { RecentMinutes } from "../history/history_recorder.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { currentFreshness } from "../presence/servers.ts";
import type { AccountsOf } from "../presence/identity.ts";
import type { Activity } from "@/shared/online.ts";
import { type LogPlace, RecorderRun } from "./recorder_run.ts";
import type { SharedPresence } from "./activity_reconciler.ts";

/** Options of an {@link OnlineRecorder}. */
export interface OnlineRecorderOptions {
  database: Database;
  realtime: RealtimeServer;
  /** The counted channels. */
  channels: readonly RecordedChannel[];
  /** Whether the number of a channel can be believed now. Default: it always can. */
  isCertain?: (channel: RecordedChannel) => boolean;
  /** Whether pages connect to this server; with an external Pusher server nothing is recorded. */
  isCountedHere: boolean;
  accountsOf: AccountsOf;
  /** Called with each join and leave after it is stored. Must not throw. */
  onStored: (entry: Activity, channel: string) => void;
  /** How many days the activity log keeps its entries; 0 keeps them forever. */
  activityDays: number;
  /** Of the days whose numbers are stored; UTC without it. */
  timeZone?: string;
  log: (entry: LogEntry) => void;
  clock: Clock;
  /** Of several servers, which record while they are the leader; absent: this one is the only one. */
  term?: LeaderTerm;
}

/**
 * Records how many users are in the counted channels, and who joins and leaves.
 *
 * A server that is the only one records from `begin` to `stop`. Users who were online when a process
 * before it ended are recorded as having left with the reason `server_restart`, at the last time at
 * which that process is known to have run.
 *
 * Of several servers, the leader records, from `continue` to `stop`, and then perhaps again: what `take` gets of
 * the log of all servers. It continues what the previous leader recorded: only users who are no longer on any
 * server have left, with the reason `server_lost` where the log has none.
 */
export class OnlineRecorder {
  readonly activity: ActivityLog;
  readonly #options: OnlineRecorderOptions;
  readonly #histories: ReadonlyMap<string, History>;
  #run: RecorderRun | undefined;
  /** What the pages of a server that is not the leader add to the stored history. */
  readonly #recent = new Map<string, RecentMinutes>();

  constructor(options: OnlineRecorderOptions) {
    const { channels, database, timeZone } = options;
    this.#options = options;
    this.activity = new ActivityLog(database);
    this.#histories = new Map(
      channels.map(({ key }) => [key, new History(database, key, timeZone)]),
    );
  }

  /**
   * The history of a channel, up to now.
   *
   * @throws {Error} when the channel is not counted.
   */
  historyOf(channel: string): RecordedHistory {
    const history = this.#histories.get(channel);
    if (!history) throw new Error(`The channel ${channel} is not counted`);
    const recent = () => this.#recent.get(channel)?.read() ?? [];
    return { history, unsaved: () => this.#run?.unsaved(channel) ?? recent() };
  }

  /**
   * The latest activity of a user, newest first, with what this server was about to store: who joined and left
   * at once is known at once.
   */
  async activityOf(
    userId: string,
    some: { limit: number; channels?: readonly string[] },
  ): Promise<ActivityEntry[]> {
    await this.storeWaiting(userId);
    return (await this.activity.read({ userId, ...some })).entries;
  }

  /** Stores at once what this server was about to store of a user. Never rejects. */
  async storeWaiting(userId: string): Promise<void> {
    await this.#run?.storeWaiting(new Set([userId]));
  }

  /**
   * When each of some users last joined or left a channel; none for those without an entry. What this server was
   * about to store is known at once.
   */
  async lastSeen(channel: string, userIds: readonly string[]): Promise<Map<string, number>> {
    await this.#run?.storeWaiting(new Set(userIds));
    return await this.activity.lastSeen(channel, userIds);
  }

  /**
   * Begins to record, if this server is the only one, and otherwise to measure what its pages show. Call
   * it once, when the server listens: a second process that is started by mistake and finds its port
   * taken must not record that the users of the first one left.
   *
   * @throws {Error} when the database fails.
   */
  async begin(): Promise<void> {
    const { isCountedHere, term } = this.#options;
    if (!isCountedHere) return;
    if (term) this.#measure();
    else await (this.#run = this.#newRun()).begin();
  }

  /**
   * Begins to record as the leader, in whose term.
   *
   * @throws {Error} when the database fails.
   */
  async continue(shared: SharedPresence): Promise<void> {
    if (this.#options.isCountedHere) await (this.#run = this.#newRun(shared)).continue();
  }

  /**
   * Takes an event of the log of all servers, which the log may repeat. Resolves when it is stored, or
   * need not be; never, where this server does not record at the moment. Never rejects.
   */
  async take(event: ServerEvent, appId: string, place: LogPlace): Promise<void> {
    if (!this.#options.isCountedHere) return;
    await (this.#run?.take(event, appId, place) ?? new Promise(() => {}));
  }

  /** The log of all servers may have lost entries: what it does not have is recorded. */
  check(): void {
    this.#run?.check();
  }

  /** Ends counting and stores the counts. Call it before sockets are closed, so that histories show no drop. */
  async stopCounting(): Promise<void> {
    await this.#run?.stopCounting();
  }

  /** Stores what is left, as far as the database allows, and records nothing more. Never rejects. */
  async stop(): Promise<void> {
    await this.#run?.stop();
    this.#run = undefined;
  }

  #measure(): void {
    const { channels, clock } = this.#options;
    for (const { key, presence, recovery } of channels) {
      recovery.whenOver(() => this.#recent.set(key, new RecentMinutes(presence, clock)));
    }
  }

  #newRun(shared?: SharedPresence): RecorderRun {
    return new RecorderRun(this.#options, this.activity, this.#histories, shared);
  }
}

/** Opens what records the counted channels; pages are sent what it has stored. */
export function startRecording(
  core: Core,
  channels: readonly RecordedChannel[],
  liveView: LiveView,
): OnlineRecorder {
  const { accounts, cluster, config, database, realtime, servers, term } = core;
  return new OnlineRecorder({
    database,
    realtime,
    term,
    channels,
    isCertain: ({ recovery }) => currentFreshness(recovery, servers).state === "live",
    isCountedHere: !usesExternalServer(config.pusher),
    accountsOf: (ids) => accounts.findAll(ids),
    onStored(entry, channel) {
      liveView.publisherOf(channel).activityStored([entry]);
      cluster?.bus.activity.stored(entry, channel);
    },
    activityDays: config.activityDays,
    timeZone: config.timeZone,
    log: entryLog("records"),
    clock: systemClock,
  });
}
