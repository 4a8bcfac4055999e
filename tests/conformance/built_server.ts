import { until } from "../fixtures/eventually.ts";
import { serveCommand } from "../fixtures/program.ts";
import { inherited } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { Client } from "../realtime/harness.ts";

/** How long the process may take to end on a busy machine, in milliseconds. */
const timeoutMs = 180_000;

/** An observer opens no more channels than this, as a connection may subscribe 200 times in a row. */
export const channelsOfObserver = 100;

/** One process of the built app. It prints into a file, so that no rule waits for the output of another. */
export class BuiltServer implements AsyncDisposable {
  readonly #folder = Deno.makeTempDirSync({ prefix: "rollcall-" });
  readonly #process: Deno.ChildProcess;
  port = 0;
  #observer: Client | undefined;
  #channels = 0;
  #settled = Promise.resolve();

  private constructor(environment: Record<string, string>) {
    this.#process = new Deno.Command("sh", {
      args: ["-c", `exec "$@" > "$0" 2>&1`, this.#logPath, ...serveCommand],
      clearEnv: true,
      env: {
        ...inherited(),
        HOST: "127.0.0.1",
        PORT: "0",
        NO_COLOR: "1",
        DATA_DIR: this.#folder,
        ...environment,
      },
      stdin: "null",
    }).spawn();
  }

  /** Starts a process with settings and waits until it listens. */
  static async start(environment: Record<string, string>): Promise<BuiltServer> {
    const server = new BuiltServer(environment);
    const ready = /Rollcall is ready: \S+:(\d+)/;
    await until(() => ready.test(server.log), "the built app had started").catch((error) => {
      throw new Error(`${error.message}:\n${server.log}`);
    });
    server.port = Number(ready.exec(server.log)?.[1]);
    return server;
  }

  /** Its address. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get #logPath(): string {
    return `${this.#folder}/log`;
  }

  /** The output so far. */
  get log(): string {
    try {
      return Deno.readTextFileSync(this.#logPath);
    } catch {
      return "";
    }
  }

  /** Makes it read its apps again. */
  reload(): void {
    this.#process.kill("SIGHUP");
  }

  /** Whether it serves an app. */
  async serves(app: { id: string }): Promise<boolean> {
    const response = await fetch(`${this.origin}/apps/${app.id}/channels`);
    await response.body?.cancel();
    return response.status !== 404;
  }

  /**
   * Waits until this server has received what other servers sent it before: it has then subscribed to a
   * channel of its own over the same connections.
   *
   * @param key of an app whose channels no test counts.
   */
  settle(key: string): Promise<void> {
    return this.#settled = this.#settled.then(() => this.#opensChannel(key));
  }

  async #opensChannel(key: string): Promise<void> {
    const url = `ws://127.0.0.1:${this.port}/app/${key}?protocol=7`;
    if (this.#channels++ % channelsOfObserver === 0) {
      await this.#endObserver();
      this.#observer = undefined;
    }
    const observer = this.#observer ??= new Client(new WebSocket(url));
    if (!observer.socketId) {
      observer.socketId = (await observer.next("pusher:connection_established")).data.socket_id;
    }
    const channel = `settled-${crypto.randomUUID()}`;
    observer.subscribe(channel);
    await observer.next("pusher_internal:subscription_succeeded");
    observer.send("pusher:unsubscribe", { channel });
  }

  async #endObserver(): Promise<void> {
    this.#observer?.close();
    await this.#observer?.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endObserver();
    this.#process.kill("SIGTERM");
    await withTimeout(this.#process.status, "the built app had ended", timeoutMs);
    await Deno.remove(this.#folder, { recursive: true });
  }
}
