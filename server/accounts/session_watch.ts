import type { App } from "@/realtime/server.ts";
import type { Accounts } from "./accounts.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";

/** How long connections can outlive a session that ended elsewhere, in milliseconds. */
const intervalMs = 5_000;

/** Options of a {@link SessionWatch}. */
export interface SessionWatchOptions {
  accounts: Pick<Accounts, "endedSessions">;
  /** The app of the pages. */
  ownApp: () => { connections: Pick<App["connections"], "sessionIds" | "closeSession"> };
  /** Called when the sessions cannot be read; the next attempt is seconds later. */
  failed(error: unknown): void;
  clock?: Clock;
}

/**
 * Closes the connections of sessions that another process ended: the command line, or a change of the
 * database. Never throws and never rejects.
 */
export class SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #clock: Clock;
  #cancel = () => {};
  #checking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#schedule();
  }

  /** Checks no more. Resolves when a check that has begun has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#checking;
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(intervalMs, () => {
      this.#checking = this.#check();
    });
  }

  async #check(): Promise<void> {
    const { accounts, ownApp, failed } = this.#options;
    try {
      const ended = await accounts.endedSessions([...ownApp().connections.sessionIds()]);
      const closing = { code: closeCodes.reconnect, reason: "Sign in again" };
      for (const id of ended) {
        ownApp().connections.closeSession(id, { ...closing, cause: "signed_out" });
      }
    } catch (error) {
      failed(error);
    }
    if (!this.#stopped) this.#schedule();
  }
}
