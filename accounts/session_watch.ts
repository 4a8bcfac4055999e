import type { Accounts } from "./accounts.ts";
import { type Clock, systemClock } from "../realtime/timing/clock.ts";
import { closeCodes } from "../realtime/protocol/close_codes.ts";
import type { App } from "../realtime/server.ts";

/** How long connections may outlive a session that ended elsewhere, in milliseconds. */
const everyMs = 5_000;

/** What is watched. */
export interface SessionWatchOptions {
  accounts: Pick<Accounts, "endedSessions">;
  /** The app of the pages. */
  ownApp: () => Pick<App, "sessionIds" | "closeSession">;
  /** Hears why it could not be known; soon it is tried again. */
  failed(error: unknown): void;
  clock?: Clock;
}

/**
 * Closes the connections of sessions that this process did not end itself: on the command line, or in
 * the database. Never throws and never rejects.
 */
export class SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #clock: Clock;
  #cancel = () => {};
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#wait();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#looking;
  }

  #wait(): void {
    this.#cancel = this.#clock.after(everyMs, () => {
      this.#looking = this.#look();
    });
  }

  async #look(): Promise<void> {
    const { accounts, ownApp, failed } = this.#options;
    try {
      const ended = await accounts.endedSessions([...ownApp().sessionIds()]);
      const closing = { code: closeCodes.reconnect, reason: "Sign in again" };
      for (const id of ended) ownApp().closeSession(id, { ...closing, cause: "signed_out" });
    } catch (error) {
      failed(error);
    }
    if (!this.#stopped) this.#wait();
  }
}
