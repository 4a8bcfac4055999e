import type { Member } from "@/realtime/protocol/member.ts";
import type { LeaveReason } from "@/realtime/server.ts";
import type { NewEntry } from "./activity_log.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { WriteQueue } from "../database/write_queue.ts";
import { accountsById, type AccountsOf, givenName, identityIn } from "../presence/identity.ts";
import { activityOf } from "./activity.ts";
import type { Activity } from "@/shared/online.ts";

/** How long a change waits for others before both are written, in ms. */
const delayMs = 250;

/** Changes of one write. */
const batchSize = 500;

/** See {@link ActivityRecorderOptions.capacity}. */
const maxWaiting = 20_000;

/** An entry of the log of all servers, of which a change is recorded once. */
export interface Logged {
  readonly id: string;
  /** Called when the change is stored. Must not throw. */
  readonly stored: () => void;
}

/** A user joined or left, at a time in ms since 1970. The kind of user is looked up before it is stored. */
export type PresenceChange =
  & { channel: string; at: number; userId: string; member: Member | undefined; logged?: Logged }
  & ({ change: "joined" } | { change: "left"; reason: LeaveReason });

/** Options of {@link activityRecorder}. */
interface ActivityRecorderOptions {
  log: {
    /** Stores entries, all or none. @returns the new ones; nothing: all; null: none, for ever */
    write(entries: NewEntry[]): Promise<NewEntry[] | null | void>;
  };
  accountsOf: AccountsOf;
  /** Called with each entry after it is stored. Must not throw. */
  onStored(entry: Activity, channel: string): void;
  /** Called when the log cannot be written; the write is retried. */
  failed(error: unknown): void;
  clock?: Clock;
  /** Changes that wait for a database that fails; beyond, the oldest are lost. Default 20,000. */
  capacity?: number;
}

/**
 * Makes the queue that writes the activity log. Add joins and leaves as they happen; they are stored
 * soon after, and then passed on with their names. `add` never throws, `stop` never rejects.
 */
export function activityRecorder(options: ActivityRecorderOptions): WriteQueue<PresenceChange> {
  const { log, accountsOf, onStored, failed, clock = systemClock, capacity = maxWaiting } = options;
  return new WriteQueue<PresenceChange>({
    async write(changes) {
      const accounts = await accountsById(accountsOf, changes.map(({ userId }) => userId));
      const entries = changes.map(({ member, logged, ...change }): NewEntry => {
        const account = accounts.get(change.userId);
        const { kind } = identityIn(change.channel, change.userId, account);
        const name = kind === "foreign" ? givenName(member) : undefined;
        const entry = { ...change, kind, name: name ?? null };
        return logged ? { ...entry, logId: logged.id } : entry;
      });
      const written = await log.write(entries);
      if (written === null) return;
      const stored = written ?? entries;
      for (const { logged } of changes) logged?.stored();
      for (const entry of stored) {
        onStored(activityOf(entry, accounts.get(entry.userId)), entry.channel);
      }
    },
    failed,
    clock,
    batchSize,
    capacity,
    delayMs,
  });
}
