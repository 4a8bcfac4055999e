import type { AppConfig } from "../../realtime/server.ts";
import type { ServerOptions } from "./server.ts";
import { keepPort } from "../fixtures/reserved_port.ts";
import { runFlags } from "../fixtures/run_flags.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** How long a server may take to start and to end on a busy machine, in milliseconds. */
const timeoutMs = 60_000;

/** A server in its own process. */
export class ServerProcess implements AsyncDisposable {
  readonly #options: ServerOptions;
  readonly #apps = new Map<string, AppConfig>();
  #process: Deno.ChildProcess;
  isRunning = true;
  port = 0;

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.#process = started(options);
  }

  /** Starts a server and waits until it listens. */
  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    server.port = await portOf(server.#process);
    return server;
  }

  /** Stops the server, as a deploy does by default, and starts the next one on the same port. */
  async restart(signal?: "SIGTERM" | "SIGKILL"): Promise<void> {
    await keepPort(this.port);
    await this.stop(signal);
    this.#process = started({ ...this.#options, port: this.port });
    this.isRunning = true;
    await portOf(this.#process);
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

  /** Sends clients to other servers, as a server does that is cut off; or accepts them again. */
  async sendAway(isCutOff: boolean): Promise<void> {
    await this.#order("send-away", isCutOff);
  }

  /** Advances the sockets' clock, where it stands still. */
  async advance(milliseconds: number): Promise<void> {
    await this.#order("advance", milliseconds);
  }

  async #order(what: string, body: unknown): Promise<void> {
    const url = `http://127.0.0.1:${this.port}/under-test/${what}`;
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

/** The port that a server prints when it listens. */
function portOf(server: Deno.ChildProcess): Promise<number> {
  return withTimeout(printedPort(server), "the server listened", timeoutMs);
}

async function printedPort(server: Deno.ChildProcess): Promise<number> {
  for await (const chunk of server.stdout) return Number(new TextDecoder().decode(chunk));
  throw new Error("The server ended before it listened");
}
