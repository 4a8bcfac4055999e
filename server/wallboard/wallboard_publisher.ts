import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { App, LogEntry, PresenceCounts, RealtimeServer } from "@/realtime/server.ts";
import { isWallboardChannel, signOfLifeMs, type UsersCounted } from "@/shared/wallboard.ts";
import { type BroadcastHere, onlineChannel } from "../presence/channels.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import { currentFreshness, type Servers } from "../presence/servers.ts";
import type { Freshness } from "@/shared/recovery.ts";

/** Options of a {@link WallboardPublisher}. */
interface WallboardPublisherOptions {
  /** How many users are online now. */
  counts: () => PresenceCounts;
  freshness: () => Freshness;
  /** Whether a channel has subscribers. */
  isOccupied: (channel: string) => boolean;
  publish: (channel: string, counted: UsersCounted) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
}

/** Between two events of a channel, in milliseconds: four a second. */
const pauseMs = 250;

/**
 * Publishes to wallboards how many users are online: after every change, at most four times a second and
 * always the last number, and every ten seconds. While no wallboard is open it does no work.
 */
export class WallboardPublisher {
  readonly #options: WallboardPublisherOptions;
  readonly #channels = new Set<string>();
  readonly #throttle: Throttle;

  constructor(options: WallboardPublisherOptions) {
    this.#options = options;
    const { clock, log } = options;
    const message = "Wallboards could not be sent the number of users";
    this.#throttle = new Throttle(clock, pauseMs, {
      isWatched: () => this.#isWatched(),
      publish: () => this.#publish(),
      failed: (error) => log({ level: "error", message, error }),
    });
  }

  /** A page subscribed to the channel of a wallboard. It gets the number at once. */
  joined(channel: string): void {
    this.#channels.add(channel);
    this.changed();
  }

  /** The counts changed. */
  changed(): void {
    this.#throttle.changed();
  }

  #isWatched(): boolean {
    for (const channel of this.#channels) {
      if (!this.#options.isOccupied(channel)) this.#channels.delete(channel);
    }
    return this.#channels.size > 0;
  }

  #publish(): void {
    const { clock, counts, freshness, publish } = this.#options;
    this.#throttle.changed(signOfLifeMs);
    const { users, connections } = counts();
    const counted = { users, connections, at: clock.date(), freshness: freshness() };
    for (const channel of this.#channels) publish(channel, counted);
  }
}

/** Keeps the wallboards that are connected to this server up to date with how many users are online. */
export function broadcastToWallboards({ realtime, ownApp, recovery, servers, broadcastHere, log }: {
  realtime: RealtimeServer;
  /** The app of the pages. */
  ownApp: () => App;
  recovery: RecoveryWatch;
  servers: Servers;
  broadcastHere: BroadcastHere;
  log: (entry: LogEntry) => void;
}): void {
  let counts: PresenceCounts = ownApp().presence.counts(onlineChannel);
  const publisher = new WallboardPublisher({
    counts: () => counts,
    freshness: () => currentFreshness(recovery, servers),
    isOccupied: (channel) => ownApp().isOccupied(channel),
    publish: (channel, counted) => broadcastHere(channel, "UsersCounted", counted),
    clock: systemClock,
    log,
  });
  ownApp().listeners.presence.add(onlineChannel, (now) => {
    counts = now;
    publisher.changed();
  });
  recovery.whenOver(() => publisher.changed());
  servers.onChange(() => publisher.changed());
  realtime.onSubscription((channel, { id }) => {
    if (id === ownApp().settings.id && isWallboardChannel(channel)) publisher.joined(channel);
  });
}
