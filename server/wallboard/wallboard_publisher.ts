import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { LogEntry, PresenceCounts } from "@/realtime/server.ts";
import {
  isWallboardChannel,
  signOfLifeMs,
  type UsersCounted,
  type WallboardHour,
} from "@/shared/wallboard.ts";
import type { Core } from "../core.ts";
import { minuteMs, startOfInterval } from "../history/minute_measure.ts";
import { onlineChannel } from "../presence/channels.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import type { RecoveryWatch } from "../presence/recovery_watch.ts";
import { currentFreshness } from "../presence/servers.ts";

/** Between two events of a channel, in milliseconds: four a second. */
const pauseMs = 250;

/** Reads the last hour at a time; null where there is none. */
export type ReadHour = (now: number) => Promise<WallboardHour | null>;

/**
 * Publishes to wallboards how many users are online: after every change, at most four times a second and
 * always the last number, and every ten seconds. The last hour follows when a page joins, and once a minute.
 * While no wallboard is open it does no work.
 */
export class WallboardPublisher {
  readonly #core: Core;
  readonly #recovery: RecoveryWatch;
  readonly #clock: Clock;
  readonly #channels = new Set<string>();
  readonly #throttle: Throttle;
  readonly #active: () => number | null;
  readonly #readHour: ReadHour;
  readonly #log: (entry: LogEntry) => void;
  /** The channels that have not been sent the last hour of this minute. */
  readonly #withoutHour = new Set<string>();
  #minute = NaN;
  #counts: PresenceCounts;

  constructor(
    core: Core,
    recovery: RecoveryWatch,
    log: (entry: LogEntry) => void,
    clock: Clock = systemClock,
    active: () => number | null = () => null,
    readHour: ReadHour = () => Promise.resolve(null),
  ) {
    this.#core = core;
    this.#recovery = recovery;
    this.#active = active;
    this.#readHour = readHour;
    this.#log = log;
    this.#clock = clock;
    this.#counts = core.ownApp.presence.counts(onlineChannel);
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
    this.#withoutHour.add(channel);
    this.changed();
  }

  /** The counts changed, or how far they can be believed. */
  changed(counts: PresenceCounts = this.#counts): void {
    this.#counts = counts;
    this.#throttle.changed();
  }

  #isWatched(): boolean {
    for (const channel of this.#channels) {
      if (!this.#core.ownApp.isOccupied(channel)) this.#channels.delete(channel);
    }
    return this.#channels.size > 0;
  }

  #publish(): void {
    const { broadcastHere, servers } = this.#core;
    this.#throttle.changed(signOfLifeMs);
    const { users, guests, connections } = this.#counts;
    const freshness = currentFreshness(this.#recovery, servers);
    const at = this.#clock.date();
    const counted: UsersCounted = {
      users,
      ...guests !== undefined && { guests },
      connections,
      active: this.#active(),
      at,
      freshness,
    };
    for (const channel of this.#channels) broadcastHere(channel, "UsersCounted", counted);
    void this.#publishHour(at);
  }

  /** Never rejects: without its history, a wallboard still has the number. */
  async #publishHour(now: number): Promise<void> {
    const minute = startOfInterval(now, minuteMs);
    const channels = minute === this.#minute ? [...this.#withoutHour] : [...this.#channels];
    this.#minute = minute;
    this.#withoutHour.clear();
    if (channels.length === 0) return;
    try {
      const hour = await this.#readHour(now);
      if (!hour) return;
      for (const channel of channels) this.#core.broadcastHere(channel, "HourRead", hour);
    } catch (error) {
      this.#log({ level: "error", message: "Wallboards could not be sent the last hour", error });
    }
  }
}

/** The channel that wallboards show. */
export interface WallboardSource {
  presence: ChannelPresence;
  recovery: RecoveryWatch;
}

/** Keeps the wallboards that are connected to this server up to date with how many users are online. */
export function broadcastToWallboards(
  core: Core,
  { presence, recovery }: WallboardSource,
  log: (entry: LogEntry) => void,
  readHour?: ReadHour,
): void {
  const active = () => presence.active;
  const publisher = new WallboardPublisher(core, recovery, log, systemClock, active, readHour);
  presence.onActiveUsers(() => publisher.changed());
  core.ownApp.listeners.presence.add(onlineChannel, (counts) => publisher.changed(counts));
  recovery.whenOver(() => publisher.changed());
  core.servers.onChange(() => publisher.changed());
  core.realtime.onSubscription((channel, { id }) => {
    const isOwn = id === core.ownApp.settings.id;
    if (isOwn && isWallboardChannel(channel)) publisher.joined(channel);
  });
}
