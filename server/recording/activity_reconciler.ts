import type { Member } from "@/realtime/protocol/member.ts";
import { storedUserId } from "../activity/activity_rows.ts";
import type { ActivityLog, OpenVisit } from "../activity/activity_log.ts";
import type { PresenceChange } from "../activity/activity_recorder.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import type { WriteQueue } from "../database/write_queue.ts";
import type { CountedTarget } from "../presence/counted_target.ts";

/** What is known of a channel when a server continues what another one recorded. */
export interface KnownActivity {
  /** The key of the channel. */
  channel: string;
  /** Who has joined and not left, as far as it is stored. */
  open: readonly OpenVisit[];
  /** What waits to be stored, in its order. */
  waiting: readonly PresenceChange[];
  /** The members of the channel. */
  members: readonly Member[];
  /** Whom entries of the log are about that may be later than the members are. */
  touched: ReadonlySet<string>;
  /** When others left of whom the log does not know when, in ms since 1970. */
  leftAt: number;
  /** Now, in ms since 1970. */
  now: number;
}

/**
 * What has to be recorded so that the users who have joined and not left are the members, where the log does
 * not explain the difference: it was lost, or a server recorded before without a log. Pure.
 */
export function missingChanges(known: KnownActivity): PresenceChange[] {
  const { channel, members, touched, leftAt, now } = known;
  const open = openVisits(known);
  const present = new Set(members.map(({ id }) => storedUserId(id)));
  const lefts = open.values().filter(({ userId }) => !present.has(userId) && !touched.has(userId))
    .map(({ userId, since, name }): PresenceChange => ({
      channel,
      change: "left",
      userId,
      at: Math.max(since, leftAt),
      reason: "server_lost",
      member: name === null ? undefined : { id: userId, info: "{}", options: { name } },
    }));
  const joins = members
    .filter(({ id }) => !open.has(storedUserId(id)) && !touched.has(storedUserId(id)))
    .map((member): PresenceChange => (
      { channel, change: "joined", at: now, userId: member.id, member }
    ));
  return [...lefts, ...joins];
}

/** Who has joined and not left, once everything is stored that waits. */
function openVisits({ channel, open, waiting }: KnownActivity): Map<string, OpenVisit> {
  const visits = new Map(open.map((visit) => [visit.userId, visit]));
  for (const { channel: of, change, userId, at, member } of waiting) {
    if (of !== channel) continue;
    const id = storedUserId(userId);
    if (change === "left") visits.delete(id);
    else visits.set(id, { userId: id, since: at, name: member?.options?.name ?? null });
  }
  return visits;
}

/** What all servers of an installation know together, as a recorder asks it. */
export interface SharedPresence {
  /**
   * The members of a channel of an app over all servers; null while some may be missing, because the
   * servers have to register them again.
   */
  members(appId: string, channel: string): Promise<readonly Member[] | null>;
  /**
   * Resolves when every entry was handed out that was in the log at the time of the call.
   *
   * @returns false when the log is read no more.
   */
  caughtUp(): Promise<boolean>;
  /** Whether this server is the leader at this moment; no other one does then. */
  isLeader(): boolean;
}

/** Options of an {@link ActivityReconciler}. */
interface ActivityReconcilerOptions {
  channel: Pick<CountedTarget, "key" | "appId" | "channel">;
  shared: SharedPresence;
  activity: ActivityLog;
  /** Stores joins and leaves. */
  recorder: WriteQueue<PresenceChange>;
  /** Called once for failures in a row. */
  failed: (error: unknown) => void;
  clock: Clock;
}

/** Between two attempts, in milliseconds. */
const retryMs = 1_000;

/**
 * Compares who has joined and not left with the members of a channel, and records the difference that
 * the log does not explain.
 */
export class ActivityReconciler {
  readonly #options: ActivityReconcilerOptions;
  /** Whom the log was about since the members were read; null while none are. */
  #touched: Set<string> | null = null;
  #checking: Promise<void> | undefined;
  #leftAt: number | undefined;
  #isWanted = false;
  #isStopped = false;
  #wake = () => {};
  #hasFailed = false;

  constructor(options: ActivityReconcilerOptions) {
    this.#options = options;
  }

  /**
   * Begins a check; it goes on until it succeeds.
   *
   * @param leftAt when those who are no longer there left, in ms since 1970; absent: now.
   */
  begin(leftAt?: number): void {
    this.#leftAt ??= leftAt;
    this.#isWanted = true;
    this.#checking ??= this.#run().finally(() => this.#checking = undefined);
  }

  /** The log has a change of a user of the channel, which is recorded. */
  logged(userId: string): void {
    this.#touched?.add(storedUserId(userId));
  }

  /** Records nothing more. Never rejects. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#checking;
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      if (await this.#attempt()) {
        this.#leftAt = undefined;
        continue;
      }
      this.#isWanted = true;
      if (!this.#isStopped) await this.#pause();
    }
  }

  /** @returns whether the comparison was made */
  async #attempt(): Promise<boolean> {
    const { channel: { key, appId, channel }, shared, activity, recorder } = this.#options;
    const touched = this.#touched = new Set();
    try {
      // Before that, servers register users again without an entry in the log.
      if (!await shared.members(appId, channel)) return false;
      // What is in the log of before explains the members, so it is recorded first.
      if (!await shared.caughtUp()) return false;
      touched.clear();
      const members = await shared.members(appId, channel);
      if (!members || !await shared.caughtUp()) return false;
      const { waiting } = recorder;
      const open = await activity.open(key);
      this.#hasFailed = false;
      if (this.#isStopped) return false;
      const now = this.#options.clock.date();
      const leftAt = this.#leftAt ?? now;
      const state = { channel: key, open, waiting, members, touched, leftAt, now };
      for (const change of missingChanges(state)) recorder.add(change);
      return true;
    } catch (error) {
      if (!this.#hasFailed) this.#options.failed(error);
      this.#hasFailed = true;
      return false;
    } finally {
      this.#touched = null;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(retryMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
