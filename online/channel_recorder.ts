import type { Database } from "../database/database.ts";
import type { Member } from "../realtime/protocol/users.ts";
import type { LeaveReason, ServerEvent } from "../realtime/server.ts";
import type { Clock } from "../realtime/timing/clock.ts";
import type { PresenceChange } from "./activity/activity_recorder.ts";
import type { ChannelPresence } from "./counted/channel_presence.ts";
import type { CountedTarget } from "./counted/counted_target.ts";
import { History } from "./history/history.ts";
import { HistoryRecorder } from "./history/history_recorder.ts";
import type { RecordedHistory } from "./history/history_report.ts";
import type { Interval } from "./history/interval.ts";
import type { RecoveryWatch } from "./recovery_watch.ts";

/** A counted channel that is recorded. */
export interface RecordedChannel extends Pick<CountedTarget, "key" | "appId" | "channel"> {
  presence: Pick<ChannelPresence, "now" | "members" | "onPresence" | "onRemoved">;
  /** The history begins when it is over: until then the number is of those who are back. */
  recovery: Pick<RecoveryWatch, "whenOver">;
}

/** What a {@link ChannelRecorder} records with. */
export interface ChannelRecorderOptions {
  database: Database;
  /** Stores a join or a leave. Must not throw. */
  record: (change: PresenceChange) => void;
  /** Called when the history cannot be written; the write is retried. */
  failed: (error: unknown) => void;
  clock: Clock;
}

/** Records how many users a counted channel has, and who joins and leaves it. */
export class ChannelRecorder implements RecordedHistory {
  readonly history: History;
  readonly #channel: RecordedChannel;
  readonly #options: ChannelRecorderOptions;
  /** Who has joined and not left: an app that is removed does not tell who leaves by that. */
  readonly #present = new Map<string, Member | undefined>();
  #counting: HistoryRecorder | undefined;
  #counted: Promise<void> | undefined;
  #stopCounting = () => {};
  #stopListening = () => {};

  constructor(channel: RecordedChannel, options: ChannelRecorderOptions) {
    this.#channel = channel;
    this.#options = options;
    this.history = new History(options.database, channel.key);
  }

  /** What is counted but not stored yet, for reading the history up to now. */
  unsaved(): Interval[] {
    return this.#counting?.unsaved() ?? [];
  }

  /** Begins to record, with those who are there as joins. */
  begin(): void {
    const { presence, recovery } = this.#channel;
    for (const { userId, member, since } of presence.members()) this.#joined(since, userId, member);
    this.#stopListening = presence.onRemoved(() => {
      for (const [userId, member] of [...this.#present]) this.#left(userId, member, "removed");
    });
    const stopWaiting = recovery.whenOver(() => this.#count());
    if (!this.#counting) this.#stopCounting = stopWaiting;
  }

  /** Takes an event of an app. */
  take(event: ServerEvent, appId: string): void {
    if (appId !== this.#channel.appId || event.channel !== this.#channel.channel) return;
    const at = this.#options.clock.date();
    if (event.name === "member_added") this.#joined(at, event.userId, event.member);
    if (event.name === "member_removed") this.#left(event.userId, event.member, event.reason);
  }

  /** Ends counting and stores the count. */
  stopCounting(): Promise<void> {
    this.#stopCounting();
    return this.#counted ??= this.#counting?.stop() ?? Promise.resolve();
  }

  /** Records nothing more. */
  stop(): void {
    this.#stopListening();
  }

  #count(): void {
    const { presence } = this.#channel;
    const { clock, failed } = this.#options;
    const counting = new HistoryRecorder(presence.now, { history: this.history, failed, clock });
    this.#counting = counting;
    this.#stopCounting = presence.onPresence((counts) => counting.changed(counts));
  }

  #joined(at: number, userId: string, member: Member | undefined): void {
    this.#present.set(userId, member);
    this.#options.record({ channel: this.#channel.key, change: "joined", at, userId, member });
  }

  #left(userId: string, member: Member | undefined, reason: LeaveReason): void {
    this.#present.delete(userId);
    const { clock, record } = this.#options;
    const at = clock.date();
    record({ channel: this.#channel.key, change: "left", at, userId, member, reason });
  }
}
