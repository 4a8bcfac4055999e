import Worker from "pusher-js/worker/index.js";
import type { PusherLike } from "@/packages/client/types/index.d.ts";
import { rollcall } from "@/packages/client/src/rollcall.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { percentile } from "@/tools/bench/report.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/**
 * `deno run --config deno.dev.json -A tests/packages/client/measure.ts [CLIENTS]`, after
 * `deno task build`: how soon clients of pusher-js are back in a presence channel after a restart, with the
 * client package and without, and how many attempts to connect they make meanwhile. They are in this
 * process, and quiet: 2,000 members who see each other would measure their lists.
 */
const clients = Number(Deno.args[0] ?? "2000");
const channel = "presence-chart";
const app = { key: "a-key-of-the-measurement", secret: "a-secret-of-the-measurement" };
const settings = {
  PUSHER_APP_ID: "1",
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  MAX_CONNECTIONS_PER_ADDRESS: "0",
};

/** Its types put the class in a member `default`, but as a CommonJS module it is the class itself. */
const Pusher = Worker as unknown as typeof Worker.default;
type Client = InstanceType<typeof Pusher>;

/** When sockets were opened, by `performance.now`. */
const attempts: number[] = [];
globalThis.WebSocket = class extends WebSocket {
  constructor(...[url, protocols]: ConstructorParameters<typeof WebSocket>) {
    super(url, protocols);
    attempts.push(performance.now());
  }
};

/** Clients who have joined; each is back when it has subscribed again. */
class Returning implements Disposable {
  readonly #clients: Client[] = [];
  /** When each subscribed last. */
  readonly subscribedAt: number[] = [];

  constructor(readonly port: number, readonly hasPackage: boolean) {}

  async join(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      this.#clients.push(this.#client(index));
      // As many at once as a server takes without a queue.
      if (index % 50 === 49) await this.all(index + 1);
    }
    await this.all(count);
  }

  /** Waits until so many have subscribed since a time. */
  async all(count: number, since = 0): Promise<void> {
    const isThere = () => this.subscribedAt.filter((at) => at > since).length === count;
    await eventually(() => isThere() || undefined, "all were there", 600_000);
  }

  #client(index: number): Client {
    const member = JSON.stringify({ user_id: `user-${index}`, rollcall: { quiet: true } });
    const client = new Pusher(app.key, {
      cluster: "self",
      wsHost: "127.0.0.1",
      wsPort: this.port,
      forceTLS: false,
      enabledTransports: ["ws"],
      channelAuthorization: {
        endpoint: "",
        transport: "ajax",
        customHandler: ({ socketId, channelName }, answer) =>
          answer(null, {
            auth: signChannel(app, socketId, channelName, member),
            channel_data: member,
          }),
      },
    });
    const back = () => this.subscribedAt[index] = performance.now();
    if (this.hasPackage) rollcall(client as unknown as PusherLike).join(channel);
    client.subscribe(channel).bind("pusher:subscription_succeeded", back);
    return client;
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) client.disconnect();
  }
}

/** Restarts a server once, and prints when its clients were back. */
async function measure(signal: "SIGTERM" | "SIGKILL", hasPackage: boolean): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "rollcall-return-" });
  const first = await Rollcall.start(settings, folder);
  const port = Number(new URL(first.origin).port);
  using returning = new Returning(port, hasPackage);
  await returning.join(clients);
  await keepPort(port);
  const signalledAt = performance.now();
  if (signal === "SIGKILL") first.kill();
  await first.stop();
  const endedAt = performance.now();
  await using _second = await Rollcall.start({ ...settings, PORT: String(port) }, folder);
  const startedAt = performance.now();
  await returning.all(clients, endedAt);
  const seconds = (since: number, percent: number) =>
    (percentile(returning.subscribedAt.map((at) => at - since), percent) / 1_000).toFixed(1);
  const perSecond = new Map<number, number>();
  for (const at of attempts.filter((at) => at > signalledAt)) {
    const second = Math.floor((at - signalledAt) / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  console.log(
    `${signal}, ${hasPackage ? "with" : "without"} the package: away for ` +
      `${((startedAt - endedAt) / 1_000).toFixed(1)} s; back after the start: ` +
      `p50 ${seconds(startedAt, 50)} s, p99 ${seconds(startedAt, 99)} s, last ${
        seconds(startedAt, 100)
      } s; attempts: ${(attempts.filter((at) => at > signalledAt).length / clients).toFixed(1)} ` +
      `of each, at most ${Math.max(...perSecond.values())} a second`,
  );
}

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  for (const hasPackage of [true, false]) await measure(signal, hasPackage);
}
Deno.exit(0);
