import type { AppConfig } from "@/realtime/server.ts";
import type { ServerOptions } from "./server.ts";
import { Cable } from "../fixtures/cable.ts";
import { sharedRedis } from "../fixtures/redis.ts";
import { keepPort } from "../fixtures/reserved_port.ts";
import { runFlags } from "../../tools/test/configuration.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** How long a server may take to start and to end on a busy machine, in milliseconds. */
const timeoutMs = 180_000;

/** A server in its own process, or several. */
export class ServerProcess implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #apps = new Map<string, AppConfig>();
  readonly #disposed = new AsyncDisposableStack();
  #process: Deno.ChildProcess;
  #ownPort = 0;
  isRunning = true;
  port = 0;
  /** Of several servers: waits until each has received what the others sent it. */
  settle: (() => Promise<void>) | undefined;

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.#process = started(options);
  }

  /** Starts a server and waits until it listens. */
  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    [server.port] = await portsOf(server.#process);
    server.#ownPort = server.port;
    return server;
  }

  /**
   * Starts several with the same options in one process, behind a proxy that gives them connections in turn. They
   * cannot be restarted.
   */
  static async startSeveral(count: number, options: ServerOptions): Promise<ServerProcess> {
    const redis = await sharedRedis();
    const prefix = `${crypto.randomUUID()}:`;
    const server = new ServerProcess({
      ...options,
      several: { count, url: redis.address, prefix },
    });
    server.#disposed.defer(redis.stop);
    const ports = await portsOf(server.#process);
    server.#ownPort = ports[0];
    const proxy = await Cable.to(...ports.map((port) => `http://127.0.0.1:${port}`));
    server.#disposed.use(proxy);
    server.port = Number(new URL(proxy.origin).port);
    server.settle = () => server.#order("settle", null);
    return server;
  }

  /** Stops the server, as a deploy does by default, and starts the next one on the same port. */
  async restart(signal?: "SIGTERM" | "SIGKILL"): Promise<void> {
    await keepPort(this.port);
    await this.stop(signal);
    this.#process = started({ ...this.#options, port: this.port });
    this.isRunning = true;
    await portsOf(this.#process);
    await this.#order("apps", [...this.#apps.values()]);
  }

  /** Serves an app; one with the same id keeps its connections and gets the new rules. */
  async put(app: AppConfig): Promise<void> {
    this.#apps.set(app.id, app);
    await this.#order("apps", [...this.#apps.values()]);
  }

  /** Stops serving an app: its connections are closed. */
  async delete(app: AppConfig): Promise<void> {
    this.#apps.delete(app.id);
    await this.#order("apps", [...this.#apps.values()]);
  }

  /** Sends clients to other servers, as a server does that is partitioned; or accepts them again. */
  async sendAway(isPartitioned: boolean): Promise<void> {
    await this.#order("send-away", isPartitioned);
  }

  /** Begins the closes of a stop, which take their time; the server is stopped separately. */
  async drain(): Promise<void> {
    await this.#order("drain", null);
  }

  /** Advances the sockets' clock, where it is stopped. */
  async advance(milliseconds: number): Promise<void> {
    await this.#order("advance", milliseconds);
  }

  async #order(what: string, body: unknown): Promise<void> {
    const url = `http://127.0.0.1:${this.#ownPort}/under-test/${what}`;
    const { ok } = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!ok) throw new Error(`The server refused ${what}`);
  }

  /** Stops the server, as a deploy does by default. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (this.isRunning) this.#process.kill(signal);
    this.isRunning = false;
    await withTimeout(this.#process.status, `the server had ended by ${signal}`, timeoutMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#disposed.disposeAsync();
  }
}

function started(options: ServerOptions): Deno.ChildProcess {
  const program = new URL("server.ts", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: [...runFlags, "-A", "--no-check", program, JSON.stringify(options)],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** The ports that a process prints when its servers listen. */
function portsOf(server: Deno.ChildProcess): Promise<number[]> {
  return withTimeout(printedPorts(server), "the server listened", timeoutMs);
}

async function printedPorts(server: Deno.ChildProcess): Promise<number[]> {
  for await (const chunk of server.stdout) {
    return new TextDecoder().decode(chunk).trim().split(" ").map(Number);
  }
  throw new Error("The server ended before it listened");
}
