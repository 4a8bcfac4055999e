import assert from "node:assert/strict";
import PusherServer from "pusher";
import { Webhooks, type WebhooksOptions } from "@/realtime/webhooks/webhooks.ts";
import { app, Harness, type HarnessOptions } from "../harness.ts";
import { MemoryStore } from "./simulation.ts";

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

/** A request as it came. */
export interface Delivery {
  headers: Record<string, string>;
  rawBody: string;
}

/** An event of a webhook. */
export type WebhookEvent = Record<string, unknown>;

/** A server that receives webhooks; disposing shuts it down. */
export class Receiver implements AsyncDisposable {
  readonly deliveries: Delivery[] = [];
  /** The status that it answers with. Default 200. */
  answer: (delivery: Delivery) => Response | Promise<Response> = () => new Response("ok");
  readonly #listener: Deno.HttpServer<Deno.NetAddr>;

  /** @param port a reserved one. Default: any free port. */
  constructor(port = 0) {
    this.#listener = Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, async (request) => {
      const headers = Object.fromEntries(request.headers);
      const delivery = { headers, rawBody: await request.text() };
      this.deliveries.push(delivery);
      return await this.answer(delivery);
    });
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  get url(): string {
    return Receiver.url(this.port);
  }

  /** The address for webhooks of a receiver at a port. */
  static url(port: number): string {
    return `http://127.0.0.1:${port}/webhooks?token=address-secret`;
  }

  /**
   * The events of all deliveries in their order, without their times; throws when the official library rejects a
   * delivery.
   */
  events(secret = app.secret): WebhookEvent[] {
    return this.deliveries.flatMap((delivery) => withoutTimes(webhookOf(delivery, secret)));
  }

  /** When each of these events happened, in milliseconds since 1970. */
  get times(): number[] {
    return this.deliveries.flatMap(({ rawBody }) =>
      JSON.parse(rawBody).events.map((event: WebhookEvent) => event.time_ms)
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener.shutdown();
  }
}

/** The events of a delivery in Pusher's form; throws when the official library rejects it. */
export function withoutTimes(webhook: PusherServer.WebHook): WebhookEvent[] {
  assert.ok(webhook.isValid(), JSON.stringify(webhook));
  // The library's types lack fields of some events.
  const events = webhook.getEvents() as unknown as WebhookEvent[];
  return events.map(({ time_ms: _, ...event }) => event);
}

/** A delivery as the official library for servers sees it. */
export function webhookOf(delivery: Delivery, secret = app.secret): PusherServer.WebHook {
  const { id: appId, key } = app;
  return new PusherServer({ appId, key, secret, host: "127.0.0.1" }).webhook(delivery);
}
