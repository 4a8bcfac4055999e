import type { OutboxEvents, OutboxStore } from "../../../realtime/webhooks/webhooks.ts";
import { Webhooks, type WebhooksOptions } from "../../../realtime/webhooks/webhooks.ts";
import { Rig, type RigOptions } from "../rig.ts";

/** A store in memory, which several servers can use one after the other. */
export class MemoryStore implements OutboxStore {
  records: OutboxEvents[] = [];
  writes = 0;

  load(): Promise<OutboxEvents[]> {
    return Promise.resolve([...this.records].reverse());
  }

  write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<void> {
    this.writes++;
    this.records = [...this.records, ...added].filter(({ id }) => !removedIds.includes(id));
    return Promise.resolve();
  }
}

/** The options of a {@link WebhookRig}. */
export interface WebhookRigOptions extends RigOptions {
  webhookOptions?: Partial<WebhooksOptions>;
}

/** A server whose apps send webhooks. */
export class WebhookRig extends Rig {
  readonly webhooks: Webhooks;

  constructor({ webhookOptions, ...options }: WebhookRigOptions = {}) {
    super(options);
    this.webhooks = new Webhooks({
      store: new MemoryStore(),
      appOf: (id) => this.realtime.app(id)?.settings,
      presenceGraceMs: options.presenceGraceMs,
      log: (entry) => this.logged.push(entry),
      ...webhookOptions,
    });
    this.realtime.onServerEvent((event, app) => this.webhooks.take(event, app));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.webhooks.stop();
  }
}
