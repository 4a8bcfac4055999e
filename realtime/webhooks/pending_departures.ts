import type { ChannelServerEvent, ServerEvent } from "../events/server_events.ts";
import { channelKind } from "../protocol/channel_names.ts";
import { Deadlines } from "../timing/clock.ts";
import type { DeliveriesOptions, EventPlace } from "./webhook_options.ts";

/** A channel was vacated or a member removed, perhaps only for a moment. */
export interface PendingDeparture extends EventPlace {
  readonly appId: string;
  readonly departure: ChannelServerEvent;
}

/**
 * Holds back `channel_vacated` and `member_removed` until their client had time to return. If it
 * returns, neither its departure nor its return is reported. `channel_occupied` and `member_added` are
 * never held back, so a channel that is occupied and vacated within a second is reported with both.
 */
export class PendingDepartures {
  readonly #pending = new Map<string, PendingDeparture>();
  /** Of clients that have just disconnected. */
  readonly #disconnected: Deadlines<PendingDeparture>;
  /** Of presence channels' clients, whose leave grace has passed already. */
  readonly #graceOver: Deadlines<PendingDeparture>;
  /** Of clients that the stop of the server's predecessor disconnected. */
  readonly #restored: Deadlines<PendingDeparture>;
  readonly #max: number;
  readonly #reported: (pending: PendingDeparture) => void;

  /** @param report is called for each departure whose client did not return in time. */
  constructor(
    { clock, limits, presenceGraceMs }: DeliveriesOptions,
    report: (pending: PendingDeparture) => void,
  ) {
    const { maxPendingDepartures, restartReturnMs, returnMs } = limits;
    this.#max = maxPendingDepartures;
    this.#reported = report;
    const due = (pending: PendingDeparture) => this.#report(pending);
    this.#disconnected = new Deadlines(returnMs, due, clock);
    this.#graceOver = new Deadlines(Math.max(0, returnMs - presenceGraceMs), due, clock);
    this.#restored = new Deadlines(restartReturnMs, due, clock);
  }

  /** The number of pending departures. */
  get size(): number {
    return this.#pending.size;
  }

  /**
   * Filters an event.
   *
   * @param place its `secured` is not called for an event that passes.
   * @returns whether to report it now
   */
  passes(event: ServerEvent, appId: string, place: EventPlace): boolean {
    switch (event.name) {
      case "channel_vacated":
      case "member_removed":
        this.#add({ ...place, appId, departure: event }, this.#deadlinesOf(event));
        return false;
      case "channel_occupied":
      case "member_added":
        if (!this.#returned(event, appId)) return true;
        place.secured?.();
        return false;
      default:
        return true;
    }
  }

  /** Adds a departure that was pending when the server's predecessor stopped. */
  restore(pending: PendingDeparture): void {
    this.#add(pending, this.#restored);
  }

  #add(pending: PendingDeparture, deadlines: Deadlines<PendingDeparture>): void {
    // A log may repeat a departure.
    this.#cancel(this.#pending.get(keyOf(pending.appId, pending.departure)));
    this.#pending.set(keyOf(pending.appId, pending.departure), pending);
    deadlines.add(pending);
    if (this.#pending.size <= this.#max) return;
    for (const oldest of this.#pending.values()) return this.#report(oldest);
  }

  #returned(departure: ChannelServerEvent, appId: string): boolean {
    const pending = this.#pending.get(keyOf(appId, departure));
    this.#cancel(pending);
    return pending !== undefined;
  }

  #cancel(pending: PendingDeparture | undefined): void {
    if (!pending) return;
    this.#delete(pending);
    pending.secured?.();
  }

  #report(pending: PendingDeparture): void {
    this.#delete(pending);
    this.#reported(pending);
  }

  #delete(pending: PendingDeparture): void {
    this.#pending.delete(keyOf(pending.appId, pending.departure));
    this.#disconnected.delete(pending);
    this.#graceOver.delete(pending);
    this.#restored.delete(pending);
  }

  #deadlinesOf({ channel }: ChannelServerEvent): Deadlines<PendingDeparture> {
    return channelKind(channel) === "presence" ? this.#graceOver : this.#disconnected;
  }

  /** From now on departures stay pending, unless there are too many. */
  pause(): void {
    this.#disconnected.pause();
    this.#graceOver.pause();
    this.#restored.pause();
  }

  /** Ends without reporting. @returns the departures that were pending */
  stop(): PendingDeparture[] {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#disconnected.stop();
    this.#graceOver.stop();
    this.#restored.stop();
    return pending;
  }
}

function keyOf(appId: string, departure: ChannelServerEvent): string {
  return JSON.stringify([appId, departure.channel, "userId" in departure && departure.userId]);
}
