import { randomUUID } from "node:crypto";
import { byteLength } from "@/realtime/protocol/outgoing.ts";
import type { App } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import { type EventLine, type InspectedEvents, maxShownName } from "@/shared/inspection.ts";
import {
  EventSample,
  type KeptEvent,
  type PassingEvent,
  passingMemberChange,
  passingPublished,
  RecentEvents,
} from "./recent_events.ts";

/** How long events wait for later ones, in milliseconds. */
export const gatherMs = 250;

/**
 * Follows the events of one channel on all servers, as a subscriber would receive them, whether it has subscribers
 * or not, until it is stopped.
 */
export class EventFeed {
  /** Identifies it: events are numbered from 1 in each. */
  readonly id = randomUUID();
  readonly app: App;
  readonly #publish: (events: InspectedEvents) => void;
  readonly #clock: Clock;
  readonly #stopListening: (() => void)[];
  readonly #sample = new EventSample();
  readonly #recent = new RecentEvents();
  #waiting: EventLine[] = [];
  #passed = 0;
  #skipped = 0;
  #cancel: (() => void) | undefined;

  /** @param publish takes the events of an interval. */
  constructor(
    app: App,
    channel: string,
    publish: (events: InspectedEvents) => void,
    clock: Clock,
  ) {
    this.app = app;
    this.#publish = publish;
    this.#clock = clock;
    const { members, published } = app.listeners;
    this.#stopListening = [
      published.add(channel, (event) => this.#pass(passingPublished(event))),
      members.add(channel, (change) => {
        const event = passingMemberChange(channel, change);
        if (event) this.#pass(event);
      }),
      app.follow(channel),
    ];
  }

  /** What is kept of the events so far. */
  events(): InspectedEvents {
    return { inspection: this.id, lines: this.#recent.lines, skipped: this.#skipped };
  }

  /** An event that passed by, if it is kept. */
  find(number: number): KeptEvent | undefined {
    return this.#recent.find(number);
  }

  /** Drops what is kept of a user. */
  forget(userId: string): void {
    this.#recent.forget(userId);
  }

  /** Follows no more. */
  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.#cancel?.();
  }

  #pass({ name, from, by, data }: PassingEvent): void {
    const number = ++this.#passed;
    this.#cancel ??= this.#clock.after(gatherMs, () => this.#flush());
    if (!this.#sample.take(name)) return;
    const text = data();
    const line: EventLine = {
      number,
      at: this.#clock.date(),
      from,
      by,
      name: name.slice(0, maxShownName),
      bytes: byteLength(text),
    };
    this.#recent.add(line, text);
    this.#waiting.push(line);
  }

  #flush(): void {
    this.#cancel = undefined;
    const skipped = this.#sample.next();
    this.#skipped += skipped;
    this.#publish({ inspection: this.id, lines: this.#waiting.splice(0), skipped });
  }
}
