import { type Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";
import type { ChannelServerEvent, ServerEvent } from "../events/server_events.ts";
import { channelKind } from "../protocol/protocol.ts";

/** A channel was vacated or a member removed, perhaps for a moment only. */
export interface PendingDeparture {
  readonly appId: string;
  readonly departure: ChannelServerEvent;
}

/** What {@link PendingDepartures} needs. */
export interface PendingDeparturesOptions {
  /** How long after a disconnection its client may be back, in milliseconds. */
  returnMs: number;
  /** How much of that has passed when a presence channel's departures are told. */
  presenceGraceMs: number;
  /** How many may wait; one more, and the oldest is over at once. */
  most: number;
  /** Nobody came back in time. */
  over: (awaited: PendingDeparture) => void;
  clock: Clock;
}

/**
 * Holds back that a channel was vacated or a member removed until a client had time to come back. If
 * one does, neither is told. What began is never held back: a channel that is occupied and vacated in
 * the same second is told of with both.
 */
export class PendingDepartures {
  readonly #awaited = new Map<string, PendingDeparture>();
  readonly #channels: Deadlines<PendingDeparture>;
  readonly #presenceChannels: Deadlines<PendingDeparture>;
  readonly #options: PendingDeparturesOptions;

  constructor(options: PendingDeparturesOptions) {
    const { returnMs, presenceGraceMs, clock } = options;
    this.#options = options;
    const due = (awaited: PendingDeparture) => this.#over(awaited);
    this.#channels = new Deadlines(returnMs, due, clock);
    this.#presenceChannels = new Deadlines(Math.max(0, returnMs - presenceGraceMs), due, clock);
  }

  get size(): number {
    return this.#awaited.size;
  }

  /** Takes in what happened; false when it is not, or not now, to be told. */
  passes(occurrence: ServerEvent, appId: string): boolean {
    switch (occurrence.name) {
      case "channel_vacated":
      case "member_removed":
        this.await({ appId, departure: occurrence });
        return false;
      case "channel_occupied":
      case "member_added":
        return !this.#returned(occurrence, appId);
      default:
        return true;
    }
  }

  /** Begins the time within which a client may come back. */
  await(awaited: PendingDeparture): void {
    this.#awaited.set(keyOf(awaited), awaited);
    this.#deadlinesOf(awaited).add(awaited);
    if (this.#awaited.size <= this.#options.most) return;
    for (const oldest of this.#awaited.values()) return this.#over(oldest);
  }

  #returned(departure: ChannelServerEvent, appId: string): boolean {
    const awaited = this.#awaited.get(keyOf({ appId, departure }));
    if (awaited) this.#forget(awaited);
    return awaited !== undefined;
  }

  #over(awaited: PendingDeparture): void {
    this.#forget(awaited);
    this.#options.over(awaited);
  }

  #forget(awaited: PendingDeparture): void {
    this.#awaited.delete(keyOf(awaited));
    this.#deadlinesOf(awaited).delete(awaited);
  }

  #deadlinesOf({ departure }: PendingDeparture): Deadlines<PendingDeparture> {
    return channelKind(departure.channel) === "presence" ? this.#presenceChannels : this.#channels;
  }

  /** From now on no time is over, unless there are too many. */
  hold(): void {
    this.#channels.hold();
    this.#presenceChannels.hold();
  }

  /** Forgets everything; the answer is what was awaited. */
  stop(): PendingDeparture[] {
    const awaited = [...this.#awaited.values()];
    this.#awaited.clear();
    this.#channels.stop();
    this.#presenceChannels.stop();
    return awaited;
  }
}

function keyOf({ appId, departure }: PendingDeparture): string {
  return JSON.stringify([appId, departure.channel, "userId" in departure && departure.userId]);
}
