import type { AttendanceEntry, AttendanceLog } from "./attendance_log.ts";
import { type WallClock, wallClock } from "./wall_clock.ts";
import { WriteQueue } from "./write_queue.ts";

/** How long an entry waits for others, in ms. */
const delayMs = 1_000;

const batchSize = 500;

/** Entries that are held for a database that fails. */
const heldEntries = 20_000;

/** What the writer works with. */
export interface AttendanceWriterOptions {
  log: Pick<AttendanceLog, "write">;
  /** Hears why the log could not be written; it is tried again. */
  failed(error: unknown): void;
  clock?: WallClock;
}

/**
 * The attendance log, told of joins and leaves as they happen: within a second they are stored. A
 * queue: `add` never throws, `stop` never rejects.
 */
export function attendanceWriter(
  { log, failed, clock = wallClock }: AttendanceWriterOptions,
): WriteQueue<AttendanceEntry> {
  return new WriteQueue<AttendanceEntry>({
    write: (entries) => log.write(entries),
    failed,
    clock,
    batchSize,
    capacity: heldEntries,
    delayMs,
  });
}
