/** Events that a store keeps until their webhook has them. */
export interface OutboxEvents {
  /** Ids sort in the order in which the events came. */
  readonly id: string;
  readonly appId: string;
  /** Which webhook of the app; null: departures whose clients may come back, for all its webhooks. */
  readonly webhook: string | null;
  /** When the first of them was accepted, in milliseconds since 1970. */
  readonly acceptedAt: number;
  /** JSON texts of events, parted by commas. */
  readonly events: string;
  /** How many events. */
  readonly count: number;
}

/** Where undelivered events outlive the process. One process at a time uses a store. */
export interface OutboxStore {
  /** Everything that is kept. */
  load(): Promise<OutboxEvents[]>;
  /** Keeps and forgets, all of it or, when it fails, nothing. An id that is unknown is no fault. */
  write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<void>;
}

/** The `number`th id of a process that gives it at a time in milliseconds since 1970. */
export function outboxId(at: number, number: number): string {
  const [time, position] = [String(at).padStart(14, "0"), String(number).padStart(12, "0")];
  return `${time}-${position}-${crypto.randomUUID().slice(0, 8)}`;
}
