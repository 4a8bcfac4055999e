import type { OutboxEvents, OutboxStore, StoredEvents } from "@/realtime/webhooks/webhooks.ts";
import { byteLength } from "@/realtime/protocol/outgoing.ts";

/** A store in memory, which several servers can use one after the other. */
export class MemoryStore implements OutboxStore {
  records: OutboxEvents[] = [];
  writes = 0;

  list(): Promise<StoredEvents[]> {
    const stored = this.records.map(({ events, ...about }) => ({
      ...about,
      bytes: byteLength(events),
    }));
    return Promise.resolve(stored.reverse());
  }

  read(ids: readonly string[]): Promise<OutboxEvents[]> {
    return Promise.resolve(this.records.filter(({ id }) => ids.includes(id)).reverse());
  }

  write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<boolean> {
    this.writes++;
    this.records = [...this.records, ...added].filter(({ id }) => !removedIds.includes(id));
    return Promise.resolve(true);
  }
}
