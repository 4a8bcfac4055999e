import { type EventLine, maxKeptEvents } from "@/shared/inspection.ts";

/** The data of all events that are kept, in bytes. */
export const maxKeptBytes = 1_000_000;

/** An event with its data. */
export interface KeptEvent {
  line: EventLine;
  data: string;
}

/** The last events of an inspection, and the data of as many of them as fit. */
export class RecentEvents {
  #events: { line: EventLine; data: string | null }[] = [];
  #bytes = 0;

  /** The events, oldest first. */
  get lines(): EventLine[] {
    return this.#events.map(({ line }) => line);
  }

  /** Keeps an event, and drops the oldest one or its data if there is no room. */
  add(line: EventLine, data: string): void {
    const isKept = line.bytes <= maxKeptBytes;
    this.#events.push({ line, data: isKept ? data : null });
    if (isKept) this.#bytes += line.bytes;
    if (this.#events.length > maxKeptEvents) this.#dropData(this.#events.shift());
    for (const event of this.#events) {
      if (this.#bytes <= maxKeptBytes) break;
      this.#dropData(event);
    }
  }

  /** An event with its data, if both are kept. */
  find(number: number): KeptEvent | undefined {
    const event = this.#events.find(({ line }) => line.number === number);
    return event && event.data !== null ? { line: event.line, data: event.data } : undefined;
  }

  #dropData(event: { line: EventLine; data: string | null } | undefined): void {
    if (!event || event.data === null) return;
    this.#bytes -= event.line.bytes;
    event.data = null;
  }
}
