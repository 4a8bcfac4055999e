import type { LeaveReason } from "../../realtime/server.ts";
import type { ActivityEntry, ActivityLog } from "./activity_log.ts";
import { type Clock, systemClock } from "../../realtime/timing/clock.ts";
import { WriteQueue } from "../../database/write_queue.ts";
import { type AccountsOf, activityOf } from "./activity.ts";
import { identityOf } from "../person.ts";
import type { Activity } from "../../shared/online.ts";

/** How long an entry waits for others, in ms. */
const delayMs = 250;

/** Entries that are stored at once. */
const batchSize = 500;

/** Entries that are held for a database that fails. */
const heldEntries = 20_000;

/** A user came or went, at a time in ms since 1970. Whether there is an account is not known yet. */
export type PresenceChange =
  | { change: "joined"; at: number; userId: string }
  | { change: "left"; at: number; userId: string; reason: LeaveReason };

/** What the recorder works with. */
export interface ActivityRecorderOptions {
  log: Pick<ActivityLog, "write">;
  accountsOf: AccountsOf;
  /** Hears of each entry after it is stored. */
  onStored(entry: Activity): void;
  /** Hears why the log could not be written; it is tried again. */
  failed(error: unknown): void;
  clock?: Clock;
}

/**
 * Writes the attendance log, told of joins and leaves as they happen: soon after they are stored, and
 * then told on with a name. A queue: `add` never throws, `stop` never rejects.
 */
export function activityRecorder(options: ActivityRecorderOptions): WriteQueue<PresenceChange> {
  const { log, accountsOf, onStored, failed, clock = systemClock } = options;
  return new WriteQueue<PresenceChange>({
    async write(attended) {
      const accounts = await accountsOf([...new Set(attended.map(({ userId }) => userId))]);
      const byId = new Map(accounts.map((account) => [account.id, account]));
      const entries = attended.map((one): ActivityEntry => {
        const { kind } = identityOf(one.userId, byId.get(one.userId));
        return { ...one, kind };
      });
      await log.write(entries);
      for (const entry of entries) onStored(activityOf(entry, byId.get(entry.userId)));
    },
    failed,
    clock,
    batchSize,
    capacity: heldEntries,
    delayMs,
  });
}
