import { Webhooks, type WebhooksOptions } from "@/realtime/webhooks/webhooks.ts";
import { Harness, type HarnessOptions } from "../harness.ts";
import { MemoryStore } from "./memory_store.ts";

/** The options of a {@link WebhookHarness}. */
export interface WebhookHarnessOptions extends HarnessOptions {
  webhookOptions?: Partial<WebhooksOptions>;
}

/** A server whose apps send webhooks. */
export class WebhookHarness extends Harness {
  readonly webhooks: Webhooks;

  constructor({ webhookOptions, ...options }: WebhookHarnessOptions = {}) {
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
