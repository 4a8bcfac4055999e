/** What is known of events that a store keeps until they are delivered. */
export interface StoredEvents {
  /** Ids sort in the order of the events. */
  readonly id: string;
  readonly appId: string;
  /** The digest of the webhook; null: departures whose clients may return, for all webhooks of the app. */
  readonly webhook: string | null;
  /** When the first of them was accepted, in milliseconds since 1970. */
  readonly acceptedAt: number;
  /** The number of events. */
  readonly count: number;
  /** The length of their JSON texts in UTF-8 bytes. */
  readonly bytes: number;
}

/** Events that a store keeps until they are delivered. */
export interface OutboxEvents extends Omit<StoredEvents, "bytes"> {
  /** JSON texts of events, separated by commas. */
  readonly events: string;
}

/**
 * An event of which the store learns with what caused it, in one transaction: neither is ever there without
 * the other.
 */
export interface PreparedEvent {
  /** What the caller adds to the store. */
  readonly stored: OutboxEvents;
  /** Delivers it; call it when it is in the store. After a stop, the next start delivers it. */
  deliver(): void;
}

/** Keeps undelivered events when the process ends. Only one process at a time may use a store. */
export interface OutboxStore {
  /** All that is kept, in any order. */
  list(): Promise<StoredEvents[]>;
  /** The events with these ids, in any order; without those that are not kept. */
  read(ids: readonly string[]): Promise<OutboxEvents[]>;
  /**
   * Adds and removes in one transaction; rejects when it failed. Unknown ids are ignored.
   *
   * @returns false: nothing was done, as another process uses the store by now.
   */
  write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<boolean>;
}

/**
 * Makes an id.
 *
 * @param at the date, in milliseconds since 1970.
 * @param number counts the ids of this process.
 */
export function outboxId(at: number, number: number): string {
  const [time, position] = [String(at).padStart(14, "0"), String(number).padStart(12, "0")];
  return `${time}-${position}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The date in an id, in milliseconds since 1970; 0 for an id of another form. */
export function outboxTime(id: string): number {
  return Number(/^\d{14}(?=-)/.exec(id)?.[0] ?? 0);
}
