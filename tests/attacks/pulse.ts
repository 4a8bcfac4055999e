import type { AppCredentials } from "@/realtime/app_config.ts";
import type { Client } from "../realtime/harness.ts";
import { bystander, joins } from "./bystander.ts";

const intervalMs = 100;
const channel = "private-pulse";
const event = "client-pulse";

/** Two bystanders, one of whom sends an event to the other ten times a second. */
export class EventPulse {
  worst = 0;
  /** Why events come no more, if so. */
  fault: string | undefined;
  #stopped = false;
  #waitingSince = performance.now();
  readonly #running: Promise<unknown>;

  private constructor(sender: Client, receiver: Client) {
    this.#running = this.#run(sender, receiver).catch((error) => this.fault = String(error));
  }

  static async start(port: number, app: AppCredentials): Promise<EventPulse> {
    const clients = await Promise.all([1, 2].map((n) => bystander(port, app, `192.0.2.${n}`)));
    for (const client of clients) await joins(client, app, channel, "");
    return new EventPulse(clients[0], clients[1]);
  }

  async #run(sender: Client, receiver: Client): Promise<void> {
    while (!this.#stopped) {
      this.#waitingSince = performance.now();
      sender.sendRaw(JSON.stringify({ event, channel, data: {} }));
      await receiver.next(event);
      this.worst = Math.max(this.worst, performance.now() - this.#waitingSince);
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
    for (const client of [sender, receiver]) client.close();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    if (this.fault) this.worst = Math.max(this.worst, performance.now() - this.#waitingSince);
  }
}

/** Asks `/up` ten times a second, each time on a connection of its own or always on the same. */
export class UpPulse {
  worst = 0;
  fault: string | undefined;
  #stopped = false;
  readonly #client: Deno.HttpClient;
  readonly #running: Promise<void>;

  constructor(port: number, { keepsConnection }: { keepsConnection: boolean }) {
    this.#client = Deno.createHttpClient({ poolMaxIdlePerHost: keepsConnection ? 1 : 0 });
    this.#running = this.#run(`http://127.0.0.1:${port}/up`);
  }

  async #run(url: string): Promise<void> {
    while (!this.#stopped) {
      const start = performance.now();
      try {
        const signal = AbortSignal.timeout(30_000);
        const init = { client: this.#client, signal };
        const response = await fetch(url, init);
        await response.body?.cancel();
        if (response.status !== 200) this.fault = `/up answers ${response.status}`;
      } catch (error) {
        this.fault = `/up fails: ${error}`;
      }
      this.worst = Math.max(this.worst, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#client.close();
  }
}
