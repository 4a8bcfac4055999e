import { type EventLine, maxKeptEvents } from "../shared/inspection.ts";

/** The data of all events that are kept, in bytes. */
export const maxKeptBytes = 1_000_000;

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

  /** The data of an event; null when it is not kept. */
  dataOf(number: number): string | null {
    return this.#events.find(({ line }) => line.number === number)?.data ?? null;
  }

  #dropData(event: { line: EventLine; data: string | null } | undefined): void {
    if (!event || event.data === null) return;
    this.#bytes -= event.line.bytes;
    event.data = null;
  }
}
