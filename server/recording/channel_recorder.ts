import type { WriteQueue } from "../database/write_queue.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import type { LeaveReason, ServerEvent } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import type { Logged, PresenceChange } from "../activity/activity_recorder.ts";
import { type ChannelPresence, followCounts } from "../presence/channel_presence.ts";
import type { CountedTarget } from "../presence/counted_target.ts";
import type { History } from "../history/stored_history.ts";
import { HistoryRecorder } from "../history/history_recorder.ts";
import type { Interval } from "../history/minute_measure.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";

/** A counted channel that is recorded. */
export interface RecordedChannel extends Pick<CountedTarget, "key" | "appId" | "channel"> {
  presence: ChannelPresence;
  /** The history begins when it is over: until then the number counts the users who are back. */
  recovery: RecoveryWatch;
}

/** Records how many users a counted channel has, and who joins and leaves it. */
export class ChannelRecorder {
  readonly channel: RecordedChannel;
  readonly #history: History;
  readonly #recorder: WriteQueue<PresenceChange>;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  readonly #isCertain: () => boolean;
  /** Who has joined and not left: the removal of an app does not say who leaves. */
  readonly #present = new Map<string, Member | undefined>();
  #counting: HistoryRecorder | undefined;
  #counted: Promise<void> | undefined;
  #stopCounting = () => {};
  #stopListening = () => {};

  /**
   * @param recorder stores joins and leaves.
   * @param failed is called when the history cannot be written; the write is retried.
   * @param isCertain whether the number can be believed now.
   */
  constructor(
    channel: RecordedChannel,
    history: History,
    recorder: WriteQueue<PresenceChange>,
    failed: (error: unknown) => void,
    clock: Clock,
    isCertain: () => boolean,
  ) {
    this.channel = channel;
    this.#history = history;
    this.#recorder = recorder;
    this.#failed = failed;
    this.#clock = clock;
    this.#isCertain = isCertain;
  }

  /** What is counted but not stored yet, for reading the history up to now. */
  unsaved(): Interval[] {
    return this.#counting?.unsaved() ?? [];
  }

  /** Begins to record, with the users who are there as joins. */
  begin(): void {
    const { presence } = this.channel;
    for (const { userId, member, since } of presence.members()) this.#joined(since, userId, member);
    this.#stopListening = presence.onRemoved(() => {
      const at = this.#clock.date();
      for (const [userId, member] of [...this.#present]) this.#left(at, userId, member, "removed");
    });
    this.beginCounting();
  }

  /** Begins to record how many users there are. */
  beginCounting(): void {
    const stopWaiting = this.channel.recovery.whenOver(() => this.#count());
    if (!this.#counting) this.#stopCounting = stopWaiting;
  }

  /** Whether an event of an app is of the channel. */
  isOf(event: ServerEvent, appId: string): boolean {
    return appId === this.channel.appId && event.channel === this.channel.channel;
  }

  /**
   * Takes an event of the channel.
   *
   * @param at when it happened, in ms since 1970.
   * @returns whether it is recorded.
   */
  take(event: ServerEvent, at: number, logged?: Logged): boolean {
    if (event.name === "member_added") {
      this.#joined(at, event.userId, event.member, logged);
    } else if (event.name === "member_removed") {
      this.#left(at, event.userId, event.member, event.reason, logged);
    } else return false;
    return true;
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
    const { presence } = this.channel;
    const [history, failed, clock] = [this.#history, this.#failed, this.#clock];
    const now = { ...presence.now, active: presence.active };
    const counting = new HistoryRecorder(now, history, failed, clock, this.#isCertain);
    this.#counting = counting;
    this.#stopCounting = followCounts(presence, (counts) => counting.changed(counts));
  }

  #joined(at: number, userId: string, member: Member | undefined, logged?: Logged): void {
    this.#present.set(userId, member);
    const change = { channel: this.channel.key, change: "joined", at, userId, member } as const;
    this.#recorder.add({ ...change, ...logged && { logged } });
  }

  #left(
    at: number,
    userId: string,
    member: Member | undefined,
    reason: LeaveReason,
    logged?: Logged,
  ): void {
    this.#present.delete(userId);
    const change = { channel: this.channel.key, change: "left", at, userId, member } as const;
    this.#recorder.add({ ...change, reason, ...logged && { logged } });
  }
}
