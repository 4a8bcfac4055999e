import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { LogEntry } from "@/realtime/server.ts";
import type { Health } from "@/shared/servers.ts";
import { versionText } from "../observability/commit.ts";
import type { Core } from "../core.ts";
import { viewOfServers } from "../presence/servers.ts";

/** How often the server is measured, in ms. */
const intervalMs = 5_000;

/** The least time between two events, in ms. */
const pauseMs = 500;

/**
 * Measures the server and publishes it to admins' pages, while there are any: every five seconds, and when
 * the servers of the installation change.
 */
export class HealthMeter {
  readonly #core: Core;
  readonly #pagesChannels: readonly string[];
  readonly #clock: Clock;
  readonly #startedAt: number;
  #last: { at: number; messages: number };
  #messagesPerSecond: number | null = null;
  #cancel = () => {};
  readonly #stopListening: () => void;
  readonly #throttle: Throttle;

  /** @param pagesChannels the channels of admins' pages that show it. */
  constructor(
    core: Core,
    pagesChannels: readonly string[],
    log: (entry: LogEntry) => void,
    clock: Clock = systemClock,
  ) {
    this.#core = core;
    this.#pagesChannels = pagesChannels;
    this.#clock = clock;
    const message = "The health of the server could not be published";
    this.#throttle = new Throttle(clock, pauseMs, {
      isWatched: () => this.#openPages().length > 0,
      publish: () => this.#publish(),
      failed: (error) => log({ level: "error", message, error }),
    });
    this.#startedAt = clock.now();
    this.#last = this.#count();
    this.#stopListening = core.servers.onChange(() => this.#throttle.changed());
    this.#schedule();
  }

  /** The health of the server now. Before the first interval is over, no rate is known. */
  async measure(): Promise<Health> {
    const { database, realtime, servers } = this.#core;
    const clock = this.#clock;
    const refusals = Object.entries(realtime.refusals()).filter(([, count]) => count > 0);
    return {
      at: clock.date(),
      uptimeSeconds: Math.floor((clock.now() - this.#startedAt) / 1_000),
      connections: realtime.apps.reduce((sum, { connections }) => sum + connections.size, 0),
      messagesPerSecond: this.#messagesPerSecond,
      refusals: Object.fromEntries(refusals.map(([name, count]) => [limitText(name), count])),
      memoryBytes: Deno.memoryUsage().rss,
      version: versionText,
      outage: database.outages.current,
      servers: await viewOfServers(servers, clock.date()),
    };
  }

  /** Measures and publishes no more. */
  stop(): void {
    this.#throttle.stop();
    this.#stopListening();
    this.#cancel();
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(intervalMs, () => {
      this.#schedule();
      this.#sample();
      this.#throttle.changed();
    });
  }

  #sample(): void {
    const [before, now] = [this.#last, this.#count()];
    this.#last = now;
    const seconds = (now.at - before.at) / 1_000;
    // The sum can fall: a removed app takes its count with it.
    this.#messagesPerSecond = Math.max(0, now.messages - before.messages) / seconds;
  }

  #count() {
    const messages = this.#core.realtime.apps.map((app) => app.traffic())
      .reduce((sum, { received, sent }) => sum + received + sent, 0);
    return { at: this.#clock.now(), messages };
  }

  #openPages(): string[] {
    return this.#pagesChannels.filter((channel) => this.#core.ownApp.isOccupied(channel));
  }

  async #publish(): Promise<void> {
    const health = await this.measure();
    if (this.#throttle.isStopped) return;
    for (const channel of this.#openPages()) {
      this.#core.broadcastHere(channel, "HealthMeasured", health);
    }
  }
}

/** What to do about some limits. */
const remedies: Record<string, string> = {
  connectionsOfAddress: ": behind a proxy, set TRUSTED_PROXIES; otherwise raise " +
    "MAX_CONNECTIONS_PER_ADDRESS",
};

/** The name of a limit: `connectionsOfApp` is `connections per app`; and for some what to do about it. */
export function limitText(name: string): string {
  return wordsOf(name) + (remedies[name] ?? "");
}

function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(" of ", " per ");
}
