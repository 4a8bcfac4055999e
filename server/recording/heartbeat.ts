import { z } from "zod";
import type { Database } from "../database/database.ts";
import { readSetting, writeSetting } from "../database/stored_setting.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";

const settingName = "last_alive";

/** How often the time is stored, in ms. */
const intervalMs = 10_000;

/** When a server last ran on this database, in ms since 1970; null when none has. */
export async function lastAlive({ queries }: Database): Promise<number | null> {
  return await readSetting(queries, settingName, z.number());
}

/** Stores that a server runs at this time, in ms since 1970. */
export async function storeHeartbeat({ queries }: Database, at: number): Promise<void> {
  await writeSetting(queries, settingName, at);
}

/**
 * Stores every ten seconds that the server runs, so that the time of a crash is known to that accuracy.
 * Read {@link lastAlive} before starting it. Never throws and never rejects.
 */
export class Heartbeat {
  readonly #database: Database;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #writing: Promise<void>;
  #stopped = false;

  /** Starts with a first heartbeat. `failed` is called when a heartbeat cannot be stored. */
  constructor(
    database: Database,
    { failed, clock = systemClock }: { failed(error: unknown): void; clock?: Clock },
  ) {
    this.#database = database;
    this.#failed = failed;
    this.#clock = clock;
    this.#writing = this.#storeHeartbeat();
  }

  /** Stores the time of the end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#writing;
    await this.#storeHeartbeat();
  }

  async #storeHeartbeat(): Promise<void> {
    try {
      await storeHeartbeat(this.#database, this.#clock.date());
    } catch (error) {
      this.#failed(error);
    }
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(intervalMs, () => {
      this.#writing = this.#storeHeartbeat();
    });
  }
}
