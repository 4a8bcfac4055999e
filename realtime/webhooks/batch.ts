import { byteLength } from "../protocol/frame.ts";
import type { OutboxEvents } from "./outbox_events.ts";

/** The events of one request to one webhook. */
export class Batch {
  /** JSON texts, each of one event or of several separated by commas. */
  readonly #texts: string[] = [];
  #events = 0;
  #bytes = 0;
  #publicEvents = 0;
  #publicBytes = 0;
  #secured: (() => void)[] = [];
  attempts = 0;
  /** Whether no event may be added any more: it was sent or saved. */
  sealed = false;
  /** Whether the store has it, or a write has begun. */
  saved = false;

  constructor(
    readonly id: string,
    /** When its first event was accepted, in milliseconds since 1970. */
    readonly acceptedAt: number,
    /** The same, by the clock; so are the times below. */
    readonly since: number,
    /** It is not sent before this time. */
    public notBefore: number,
    /** It is given up at this time. */
    readonly expiresAt: number,
  ) {}

  /** Restores a batch that was saved. */
  static restored(saved: OutboxEvents, since: number, now: number, expiresAt: number): Batch {
    const batch = new Batch(saved.id, saved.acceptedAt, since, now, expiresAt);
    batch.#texts.push(saved.events);
    batch.#events = saved.count;
    batch.#bytes = byteLength(saved.events);
    batch.sealed = batch.saved = true;
    return batch;
  }

  /**
   * Adds the JSON text of one event.
   *
   * @param isPublic whether it is of a public channel.
   * @param secured see {@link secured}.
   */
  add(event: string, bytes: number, isPublic: boolean, secured?: () => void): void {
    this.#texts.push(event);
    if (secured) this.#secured.push(secured);
    this.#events++;
    this.#bytes += bytes;
    if (!isPublic) return;
    this.#publicEvents++;
    this.#publicBytes += bytes;
  }

  /** The batch is delivered, given up or in the store: its events need not be taken again. */
  secured(): void {
    for (const call of this.#secured.splice(0)) call();
  }

  /** The number of events. */
  get events(): number {
    return this.#events;
  }

  /** The length of its events in UTF-8 bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of its events that are of public channels; 0 when it was restored. */
  get publicEvents(): number {
    return this.#publicEvents;
  }

  /** Their length in UTF-8 bytes. */
  get publicBytes(): number {
    return this.#publicBytes;
  }

  /** The JSON texts of its events, separated by commas. */
  get text(): string {
    return this.#texts.join(",");
  }

  /** The body of the request. */
  get body(): string {
    return `{"time_ms":${this.acceptedAt},"events":[${this.text}]}`;
  }
}
