import type { AppCredentials } from "@/realtime/app_config.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Client, SocketWithHeaders } from "../realtime/harness.ts";
import { type Credentials, HttpVisitor } from "../fixtures/http_visitor.ts";

/** A client with an address of its own, which has to be served while a stranger attacks. */
export async function bystander(
  port: number,
  app: AppCredentials,
  address: string,
): Promise<Client> {
  const url = `ws://127.0.0.1:${port}/app/${app.key}?protocol=7`;
  const headers = { "x-forwarded-for": address };
  const client = new Client(new SocketWithHeaders(url, { headers }));
  client.socketId = (await client.next("pusher:connection_established")).data.socket_id;
  return client;
}

/** Subscribes a bystander to a channel of any kind. @throws {Error} when it is refused */
export async function joins(
  client: Client,
  app: AppCredentials,
  channel: string,
  userId: string,
): Promise<void> {
  const data = channel.startsWith("presence-")
    ? JSON.stringify({ user_id: userId, user_info: { id: userId } })
    : undefined;
  client.subscribe(channel, signChannel(app, client.socketId, channel, data), data);
  await client.next("pusher_internal:subscription_succeeded");
}

const headers = { accept: "text/html", "x-forwarded-for": "192.0.2.200" };

/** What a newcomer cannot do while a stranger attacks, in words; undefined when it can do all. */
export async function refusedToNewcomer(
  port: number,
  app: AppCredentials,
  admin: Credentials,
): Promise<string | undefined> {
  try {
    const client = await bystander(port, app, headers["x-forwarded-for"]);
    for (const channel of ["news-of-a-newcomer", "private-newcomer", "presence-chart"]) {
      await joins(client, app, channel, "newcomer").catch(() => {
        throw new Error(`cannot join ${channel}`);
      });
    }
    client.close();
  } catch (error) {
    return `newcomer: ${(error as Error).message}`;
  }
  return await signsIn(port, admin).then((can) => can ? undefined : "admin: cannot sign in");
}

async function signsIn(port: number, { email, password }: Credentials): Promise<boolean> {
  const visitor = new HttpVisitor(`http://127.0.0.1:${port}`);
  await visitor.get("/sign-in", headers);
  const form = new URLSearchParams({ _token: visitor.csrfToken, email, password });
  return (await visitor.send("POST", "/sign-in", form, headers)).status === 303;
}

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
