import { setImmediate } from "node:timers";
import type { AppConfig } from "@/realtime/server.ts";
import { appSettings } from "@/realtime/app_config.ts";
import type { ServerEvent } from "@/realtime/events/server_events.ts";
import {
  type OutboxEvents,
  type OutboxStore,
  type StoredEvents,
  type WebhookLimits,
  Webhooks,
} from "@/realtime/webhooks/webhooks.ts";
import { byteLength } from "@/realtime/protocol/outgoing.ts";
import { ManualClock } from "../manual_clock.ts";

/** The app whose webhooks are sent. */
export const app: AppConfig = { id: "1", key: "key", secret: "the-secret-of-the-app" };

/** A request that was sent; it has no answer yet. */
export interface Sent {
  url: string;
  secret: string;
  body: string;
  signal: AbortSignal;
  /** Answers it with a status, or closes the connection. */
  answer(status: number | "broken"): Promise<void>;
}

/** The options of a {@link WebhookSimulation}. */
export interface WebhookSimulationOptions {
  limits?: Partial<WebhookLimits>;
  rules?: Partial<AppConfig>;
  store?: MemoryStore;
  /** When the server starts, in milliseconds since 1970. */
  startsAt?: number;
}

/** A receiver's address; its query has a secret. */
export const address = "https://example.com/webhooks?token=address-secret";

/** Webhooks on a manual clock, whose requests the test answers. */
export class WebhookSimulation {
  readonly clock = new ManualClock();
  readonly sent: Sent[] = [];
  readonly logged: Record<string, unknown>[] = [];
  readonly store: MemoryStore;
  readonly webhooks: Webhooks;
  apps: AppConfig[];

  constructor({ limits, rules, store, startsAt = 1_000_000 }: WebhookSimulationOptions = {}) {
    this.apps = [{ ...app, webhooks: [{ url: address }], ...rules }];
    this.store = store ?? new MemoryStore();
    this.webhooks = new Webhooks({
      store: this.store,
      appOf: (id) => this.#ruled(id),
      limits,
      log: (entry) => this.logged.push(entry),
      clock: this.clock,
      date: () => startsAt + this.clock.now(),
      random: () => 0.999,
      send: (url, { secret }, body, signal) => this.#send(url, secret, body, signal),
    });
  }

  #ruled(id: string) {
    const found = this.apps.find((app) => app.id === id);
    return found && appSettings(found);
  }

  #send(url: string, secret: string, body: string, signal: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`error sending request for url (${url})`));
      signal.addEventListener("abort", fail);
      const answer = async (status: number | "broken") => {
        if (status === "broken") fail();
        else resolve(status);
        await turn();
      };
      this.sent.push({ url, secret, body, signal, answer });
    });
  }

  /** The last request. */
  get last(): Sent {
    return this.sent.at(-1)!;
  }

  /** Emits an event whose channel is a number. A cache miss, the default, never waits for a return. */
  happens(number: number | string, name: ServerEvent["name"] = "cache_miss"): void {
    const event = { name, channel: String(number) } as ServerEvent;
    this.webhooks.take(event, this.#ruled(app.id)!);
  }

  /** Advances the clock, in steps that let promises resolve. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    do {
      this.clock.advance(Math.min(100, end - this.clock.now()));
      await turn();
    } while (this.clock.now() < end);
  }

  /**
   * Answers requests with 200 until no event is queued, and advances the clock after each.
   *
   * @throws {Error} when that takes a hundred requests.
   */
  async deliverAll(milliseconds: number): Promise<void> {
    for (let requests = 0; this.webhooks.stats().queuedEvents > 0; requests++) {
      if (requests === 100) throw new Error("Events are queued without end");
      await this.last.answer(200);
      await this.advance(milliseconds);
    }
  }

  /** The channels of the events in a request. */
  static channels({ body }: { body: string }): string[] {
    return JSON.parse(body).events.map(({ channel }: { channel: string }) => channel);
  }
}

/** Lets all pending promises resolve. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

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
