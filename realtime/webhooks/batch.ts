import type { StoredEvents } from "./outbox_events.ts";

/** The events of one request to one webhook. */
export class Batch {
  /** JSON texts, each of one event or of several separated by commas; none while only the store has them. */
  #texts: string[] = [];
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

  /** Restores a batch that was saved; its events stay in the store until they are sent, unless they are given. */
  static restored(
    saved: StoredEvents & { events?: string },
    since: number,
    now: number,
    expiresAt: number,
  ): Batch {
    const batch = new Batch(saved.id, saved.acceptedAt, since, now, expiresAt);
    batch.#events = saved.count;
    batch.#bytes = saved.bytes;
    if (saved.events !== undefined) batch.load(saved.events);
    batch.sealed = batch.saved = true;
    return batch;
  }

  /** Whether its events are in memory. */
  get isLoaded(): boolean {
    return this.#texts.length > 0;
  }

  /** Takes its events from the store. */
  load(events: string): void {
    this.#texts = events === "" ? [] : [events];
  }

  /** Leaves its events to the store. */
  unload(): void {
    this.#texts = [];
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

  /** The JSON texts of its events, separated by commas; they have to be loaded. */
  get text(): string {
    return this.#texts.join(",");
  }

  /** The body of the request. */
  get body(): string {
    return `{"time_ms":${this.acceptedAt},"events":[${this.text}]}`;
  }
}
