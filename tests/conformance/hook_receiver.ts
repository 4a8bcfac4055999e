import type { WebhookEventName } from "@/realtime/app_config.ts";
import { until } from "../realtime/harness.ts";
import { Receiver, type WebhookEvent, withoutTimes } from "../realtime/webhooks/receiver.ts";
import type { AppHarness } from "./harness.ts";

/** An app's own server, which receives webhooks and verifies them with the official library. */
export class HookReceiver extends Receiver {
  readonly #harness: AppHarness;

  constructor(harness: AppHarness) {
    super();
    this.#harness = harness;
  }

  /** Starts to receive the events of the harness's app. */
  static async of(harness: AppHarness, events?: WebhookEventName[]): Promise<HookReceiver> {
    const receiver = new HookReceiver(harness);
    await harness.set({ webhooks: [{ url: receiver.url, events }] });
    return receiver;
  }

  /** The events so far, in order and without their times; throws when the official library rejects a delivery. */
  get taken(): WebhookEvent[] {
    const library = this.#harness.library();
    return this.deliveries.flatMap((delivery) => withoutTimes(library.webhook(delivery)));
  }

  /** Waits until a number of events has come. */
  async heard(count: number): Promise<void> {
    await until(() => this.taken.length >= count);
  }
}
