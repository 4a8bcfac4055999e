import type { Clock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { LogEntry, RealtimeServer } from "@/realtime/server.ts";
import type { DatabaseOutage, Health } from "@/shared/servers.ts";
import { type Servers, viewOfServers } from "../presence/servers.ts";

/** Options of a {@link HealthMeter}. */
export interface HealthMeterOptions {
  realtime: RealtimeServer;
  /** What is wrong with the database now. */
  outage: () => DatabaseOutage | null;
  version: string;
  servers: Servers;
  /** Whether an admin has a page open that shows it. */
  isWatched: () => boolean;
  publish: (health: Health) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
}

/** How often the server is measured, in ms. */
const intervalMs = 5_000;

/** The least time between two events, in ms. */
const pauseMs = 500;

/**
 * Measures the server and publishes it to admins' pages, while there are any: every five seconds, and when
 * the servers of the installation change.
 */
export class HealthMeter {
  readonly #options: HealthMeterOptions;
  readonly #startedAt: number;
  #last: { at: number; messages: number };
  #messagesPerSecond: number | null = null;
  #cancel = () => {};
  readonly #stopListening: () => void;
  readonly #throttle: Throttle;

  constructor(options: HealthMeterOptions) {
    this.#options = options;
    const { clock, isWatched, log } = options;
    const message = "The health of the server could not be published";
    this.#throttle = new Throttle(clock, pauseMs, {
      isWatched,
      publish: () => this.#publish(),
      failed: (error) => log({ level: "error", message, error }),
    });
    this.#startedAt = options.clock.now();
    this.#last = this.#count();
    this.#stopListening = options.servers.onChange(() => this.#throttle.changed());
    this.#schedule();
  }

  /** The health of the server now. Before the first interval is over, no rate is known. */
  async measure(): Promise<Health> {
    const { realtime, outage, version, clock, servers } = this.#options;
    const refusals = Object.entries(realtime.refusals()).filter(([, count]) => count > 0);
    return {
      at: clock.date(),
      uptimeSeconds: Math.floor((clock.now() - this.#startedAt) / 1_000),
      connections: realtime.apps.reduce((sum, { connections }) => sum + connections.size, 0),
      messagesPerSecond: this.#messagesPerSecond,
      refusals: Object.fromEntries(refusals),
      memoryBytes: Deno.memoryUsage().rss,
      version,
      outage: outage(),
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
    this.#cancel = this.#options.clock.after(intervalMs, () => {
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
    const { realtime, clock } = this.#options;
    const messages = realtime.apps.map((app) => app.traffic())
      .reduce((sum, { received, sent }) => sum + received + sent, 0);
    return { at: clock.now(), messages };
  }

  async #publish(): Promise<void> {
    const health = await this.measure();
    if (!this.#throttle.isStopped) this.#options.publish(health);
  }
}
