/**
 * The channels of all apps, for admins: which there are, who is in them, and what events pass.
 *
 * The list is counted when a page asks (`stats.ts`), in steps, at most once a second, and is dropped when no
 * page asks any more; `listed_channels.ts` filters and sorts it, `channel_status.ts` has one channel. To inspect
 * events, a page joins a reserved channel of Rollcall's own app, one for each inspected channel. While that
 * has a subscriber, an `EventFeed` follows the events, and sends them there in groups, four times a second.
 * `test_event.ts` sends an event to the channel.
 *
 * The promises: nothing is counted, followed or kept while no admin looks. With the last page that leaves, or
 * a minute after one without script, listeners, timers and events are gone. Clients of the app notice
 * nothing: a feed is neither a subscriber nor a member. Pages are sent names, sizes and senders of events; the
 * data of an event is shown after a click that the admin log records, and is never sent before.
 *
 * The trade-off: at most 20 channels are inspected at once on a server. Where many events pass, a sample of
 * them is shown and the others are counted, and only the last ones are kept, 1 MB of data for each channel.
 * With several servers, the one that has the page's socket inspects.
 *
 * @module
 */
import { inspectorChannel } from "../presence/channels.ts";
import type { Core } from "../core.ts";
import { entryLog } from "../observability/logging.ts";
import { batchesOf } from "../live_view/online_publisher.ts";
import type { App, LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import type { InspectedEvents, Inspection } from "@/shared/inspection.ts";
import { ChannelStatsCache, type NamedApp, takeChannelStats } from "./stats.ts";
import { MemberSearches } from "./listed_channels.ts";
import type { KeptEvent } from "./recent_events.ts";
import { EventFeed } from "./event_feed.ts";

/** Channels that are inspected at once: each keeps events. */
export const mostInspected = 20;

/** For how long a page without script has events recorded, in milliseconds. */
export const recordingMs = 60_000;

/** A channel of an app. */
export interface Target {
  appId: string;
  channel: string;
}

interface Inspected {
  target: Target;
  feed: EventFeed;
  /** Until when it is inspected without a page, by the clock. */
  recordedUntil: number;
  /** Cancels the end of the recording. */
  cancel?: () => void;
  /** Listens no more for the last page that leaves. */
  stopListening: () => void;
}

/**
 * Sends the events of channels to the pages of admins that inspect them. A page joins a channel of its
 * own for each channel that it inspects; while that has a subscriber, the events are followed. It does
 * nothing, and listens to nothing, while there is none.
 */
export class Inspector {
  readonly #core: Core;
  readonly #log: (entry: LogEntry) => void;
  readonly #clock: Clock;
  /** By the channel that the pages join. */
  readonly #inspected = new Map<string, Inspected>();

  constructor(core: Core, log: (entry: LogEntry) => void, clock: Clock = systemClock) {
    this.#core = core;
    this.#log = log;
    this.#clock = clock;
  }

  /** The number of channels that are inspected. */
  get size(): number {
    return this.#inspected.size;
  }

  /**
   * The events of a channel so far. Inspecting it begins if a page has joined for it, or with
   * `isRecorded` for a minute.
   *
   * @returns "full" when too many channels are inspected, "gone" when the app is not served.
   */
  open(target: Target, { isRecorded = false } = {}): Inspection | "full" | "gone" {
    const app = this.#core.realtime.app(target.appId);
    if (!app) return "gone";
    const name = inspectorChannel(target);
    const inspection = this.#inspected.get(name);
    if (!inspection && !isRecorded && !this.#isWatched(name)) return notOpen;
    if (!inspection && this.#inspected.size >= mostInspected) return "full";
    const inspected = inspection ?? this.#begin(name, target, app);
    if (isRecorded) this.#record(name, inspected);
    return { ...inspected.feed.events(), isOpen: true };
  }

  /** An event that passed by in an inspection, if it is kept. */
  find(target: Target, inspection: string, number: number): KeptEvent | undefined {
    const feed = this.#inspected.get(inspectorChannel(target))?.feed;
    return feed?.id === inspection ? feed.find(number) : undefined;
  }

  /** Drops what is kept of a user of an app. */
  forget(appId: string, userId: string): void {
    for (const { feed, target } of this.#inspected.values()) {
      if (target.appId === appId) feed.forget(userId);
    }
  }

  /** Apps were added, changed or removed: follows the replaced ones, and ends the others. */
  appsChanged(): void {
    for (const [name, { target, feed }] of this.#inspected) {
      const app = this.#core.realtime.app(target.appId);
      if (app === feed.app && this.#isNeeded(name)) continue;
      this.#end(name);
      if (this.#isWatched(name)) {
        if (app) this.open(target);
        this.#send(name, "InspectionEnded", { isRemoved: !app });
      }
    }
  }

  /** Ends every inspection. */
  stop(): void {
    for (const name of [...this.#inspected.keys()]) this.#end(name);
  }

  #begin(name: string, target: Target, app: App): Inspected {
    const publish = (events: InspectedEvents) => this.#publish(name, events);
    const feed = new EventFeed(app, target.channel, publish, this.#clock);
    const stopListening = this.#core.ownApp.listeners.closed.add(name, () => {
      if (!this.#isNeeded(name)) this.#end(name);
    });
    const inspected = { target, feed, recordedUntil: -Infinity, stopListening };
    this.#inspected.set(name, inspected);
    return inspected;
  }

  #record(name: string, inspected: Inspected): void {
    inspected.recordedUntil = this.#clock.now() + recordingMs;
    inspected.cancel?.();
    inspected.cancel = this.#clock.after(recordingMs, () => {
      if (!this.#isNeeded(name)) this.#end(name);
    });
  }

  #end(name: string): void {
    const inspected = this.#inspected.get(name);
    inspected?.cancel?.();
    inspected?.stopListening();
    inspected?.feed.stop();
    this.#inspected.delete(name);
  }

  /** Whether a page inspects it, or it is recorded for one. */
  #isNeeded(name: string): boolean {
    const { recordedUntil = -Infinity } = this.#inspected.get(name) ?? {};
    return recordedUntil > this.#clock.now() || this.#isWatched(name);
  }

  #isWatched(name: string): boolean {
    return this.#core.ownApp.isOccupied(name);
  }

  #publish(name: string, { inspection, lines, skipped }: InspectedEvents): void {
    if (!this.#isWatched(name)) return;
    const batches = lines.length === 0 ? [[]] : batchesOf(lines);
    for (const [index, batch] of batches.entries()) {
      const isLast = index === batches.length - 1;
      this.#send(name, "EventsInspected", {
        inspection,
        lines: batch,
        skipped: isLast ? skipped : 0,
      });
    }
  }

  #send(name: string, event: string, payload: unknown): void {
    try {
      // Pages of other servers inspect there.
      this.#core.broadcastHere(name, event, payload);
    } catch (error) {
      this.#log({ level: "error", message: "Events could not be shown", error });
    }
  }
}

const notOpen: Inspection = { isOpen: false, inspection: "", lines: [], skipped: 0 };

/** Opens what shows all channels and their events. */
export function startInspection(core: Core, apps: () => NamedApp[]) {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
  const take = () => takeChannelStats(core.realtime, apps(), { at: systemClock.date(), pause });
  return {
    /** All apps and channels, counted when a page asks. */
    channelStats: new ChannelStatsCache(take, systemClock),
    /** What admins searched for among the members of a channel. */
    memberSearches: new MemberSearches(systemClock),
    /** Sends the events of channels to the pages of admins that inspect them. */
    inspector: new Inspector(core, entryLog("pages")),
  };
}
