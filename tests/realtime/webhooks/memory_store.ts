import type { OutboxEvents, OutboxStore } from "../../../realtime/webhooks/webhooks.ts";

/** A store in memory, which several servers can use one after the other. */
export class MemoryStore implements OutboxStore {
  records: OutboxEvents[] = [];
  writes = 0;

  load(): Promise<OutboxEvents[]> {
    return Promise.resolve([...this.records].reverse());
  }

  write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<boolean> {
    this.writes++;
    this.records = [...this.records, ...added].filter(({ id }) => !removedIds.includes(id));
    return Promise.resolve(true);
  }
}
