import { z } from "zod";
import type { Database } from "../database/database.ts";
import { readSetting, writeSetting } from "../database/setting.ts";
import { type Clock, systemClock } from "../realtime/timing/clock.ts";

const settingName = "last_alive";

const everyMs = 10_000;

/** When a server that works on this database was last known to live, in ms since 1970; or null. */
export async function lastAlive({ queries }: Database): Promise<number | null> {
  return await readSetting(queries, settingName, z.number());
}

/** Notes that the server lives at this time, in ms since 1970. */
export async function beat({ queries }: Database, at: number): Promise<void> {
  await writeSetting(queries, settingName, at);
}

/**
 * Notes every ten seconds that the server lives, so that after a crash it is known until when it did.
 * Ask for `lastAlive` before it is started. Never throws and never rejects.
 */
export class Heartbeat {
  readonly #database: Database;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;
  #beating: Promise<void>;
  #stopped = false;

  /** `failed` hears why a beat could not be stored. */
  constructor(
    database: Database,
    { failed, clock = systemClock }: { failed(error: unknown): void; clock?: Clock },
  ) {
    this.#database = database;
    this.#failed = failed;
    this.#clock = clock;
    this.#beating = this.#beat();
  }

  /** Notes the end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#beating;
    await this.#beat();
  }

  async #beat(): Promise<void> {
    try {
      await beat(this.#database, this.#clock.date());
    } catch (error) {
      this.#failed(error);
    }
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(everyMs, () => {
      this.#beating = this.#beat();
    });
  }
}
