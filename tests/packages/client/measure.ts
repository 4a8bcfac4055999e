import Worker from "pusher-js/worker/index.js";
import { keepConnected } from "@/packages/client/src/keep_connected.ts";
import { percentile } from "@/tools/bench/report.ts";
import { ServerProcess } from "../../conformance/server_process.ts";
import { eventually, until } from "../../fixtures/eventually.ts";

/**
 * `deno run --config deno.dev.json -A tests/packages/client/measure.ts [CLIENTS]`: how soon clients of
 * pusher-js are back in a channel after a restart of the sockets' server, as the client package keeps them
 * connected and without it, and how many attempts to connect they make meanwhile. All of them are in this
 * process, so the machine has to have CPU time to spare.
 */
const clients = Number(Deno.args[0] ?? "2000");

/** How many connect at once, which is no queue for a server. */
const atOnce = 50;

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

/** Clients in a channel; each is back when it has subscribed again. */
class Returning implements Disposable {
  readonly #clients: Client[] = [];
  /** When each subscribed last. */
  readonly subscribedAt: number[] = [];

  async join(port: number, count: number, hasPackage: boolean): Promise<void> {
    while (this.#clients.length < count) {
      for (let times = 0; times < Math.min(atOnce, count); times++) this.#add(port, hasPackage);
      await this.all(0);
    }
  }

  /** Waits until all have subscribed since a time. */
  async all(since: number): Promise<void> {
    const { length } = this.#clients;
    const areThere = () => this.subscribedAt.filter((at) => at > since).length === length;
    await eventually(() => areThere() || undefined, "all were there", 600_000);
  }

  #add(wsPort: number, hasPackage: boolean): void {
    const index = this.#clients.length;
    const client = new Pusher("bystander", {
      cluster: "self",
      wsHost: "127.0.0.1",
      wsPort,
      forceTLS: false,
      enabledTransports: ["ws"],
    });
    if (hasPackage) keepConnected(client);
    client.subscribe("news").bind("pusher:subscription_succeeded", () => {
      this.subscribedAt[index] = performance.now();
    });
    this.#clients.push(client);
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) client.disconnect();
  }
}

/** Waits until something listens on a port. @returns when, by `performance.now` */
function listens(port: number): Promise<number> {
  return eventually(async () => {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return performance.now();
    } catch {
      return undefined;
    }
  }, "the server listened");
}

/** Restarts a server under its clients, and prints when they were back. */
async function measure(signal: "SIGTERM" | "SIGKILL", hasPackage: boolean): Promise<void> {
  await using server = await ServerProcess.start({ drainMs: 3_000, maxConnectionsPerAddress: 0 });
  using returning = new Returning();
  await returning.join(server.port, clients, hasPackage);
  const signalledAt = performance.now();
  const restarting = server.restart(signal);
  await until(() => !server.isRunning, "the signal was sent");
  await until(() => server.isRunning, "the next server was starting");
  const stoppedAt = performance.now();
  const listenedAt = await listens(server.port);
  await restarting;
  await returning.all(stoppedAt);
  const made = attempts.filter((at) => at > signalledAt);
  const ofSeconds = Map.groupBy(made, (at) => Math.floor((at - signalledAt) / 1_000));
  const back = (percent: number) => {
    const times = returning.subscribedAt.map((at) => at - listenedAt);
    return `${(percentile(times, percent) / 1_000).toFixed(2)} s`;
  };
  console.log([
    `${signal} ${hasPackage ? "with" : "without"} the package`,
    `listens again ${((listenedAt - signalledAt) / 1_000).toFixed(1)} s after the signal`,
    `back since then: p50 ${back(50)}, p99 ${back(99)}, last ${back(100)}`,
    `attempts: ${(made.length / clients).toFixed(1)} of each, at most ${
      Math.max(...[...ofSeconds.values()].map(({ length }) => length))
    } a second`,
  ].join("; "));
}

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  for (const hasPackage of [true, false]) await measure(signal, hasPackage);
}
Deno.exit(0);
