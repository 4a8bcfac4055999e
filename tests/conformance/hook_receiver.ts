import assert from "node:assert/strict";
import type { WebhookEventName } from "@/realtime/app_config.ts";
import { until } from "../realtime/rig.ts";
import { Receiver, type WebhookEvent } from "../realtime/webhooks/receiver.ts";
import type { Rig } from "./rig.ts";

/** An app's own server, which receives webhooks and verifies them with the official library. */
export class HookReceiver extends Receiver {
  readonly #rig: Rig;

  constructor(rig: Rig) {
    super();
    this.#rig = rig;
  }

  /** Starts to receive the events of the rig's app. */
  static async of(rig: Rig, events?: WebhookEventName[]): Promise<HookReceiver> {
    const receiver = new HookReceiver(rig);
    await rig.set({ webhooks: [{ url: receiver.url, events }] });
    return receiver;
  }

  /** The events so far, in order; throws when the official library rejects a delivery. */
  get taken(): WebhookEvent[] {
    return this.deliveries.flatMap((delivery) => {
      const webhook = this.#rig.library().webhook(delivery);
      assert.ok(webhook.isValid(), delivery.rawBody);
      // The library's types lack fields of some events.
      return webhook.getEvents() as unknown as WebhookEvent[];
    });
  }

  /** Waits until a number of events has come. */
  async heard(count: number): Promise<void> {
    await until(() => this.taken.length >= count);
  }
}
