import type { AppConfig } from "../../realtime/server.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { inherited } from "../fixtures/rollcall.ts";
import { until } from "../fixtures/eventually.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { listedApp } from "./listed_app.ts";
import { serveCommand } from "../fixtures/program.ts";

/** The app of Rollcall's own pages; it cannot be removed. */
const own: AppConfig = { id: "own", key: "key-of-the-pages", secret: crypto.randomUUID() };

/** How long the process may take to end on a busy machine, in milliseconds. */
const timeoutMs = 60_000;

/**
 * The built app in its own process. It reads its apps from a file, again at SIGHUP, and prints into a
 * file, so that no rule waits for the output of another.
 */
export class BuiltApp implements AsyncDisposable {
  readonly #apps = new Map<string, AppConfig>();
  readonly #folder = Deno.makeTempDirSync({ prefix: "rollcall-" });
  readonly #process: Deno.ChildProcess;
  /** The app of Rollcall's own pages. */
  readonly own = own;
  readonly isRunning = true;
  #visitor: Promise<HttpVisitor> | undefined;
  port = 0;

  private constructor() {
    this.#writeApps();
    const environment = { HOST: "127.0.0.1", PORT: "0", PRESENCE_GRACE_MS: "0", DRAIN_MS: "0" };
    this.#process = new Deno.Command("sh", {
      args: ["-c", `exec "$@" > "$0" 2>&1`, this.#logPath, ...serveCommand],
      clearEnv: true,
      env: {
        ...inherited(),
        ...environment,
        DATA_DIR: this.#folder,
        APPS_FILE: this.#appsPath,
        NO_COLOR: "1",
      },
      stdin: "null",
    }).spawn();
  }

  /** Starts the app with no leave grace, so that every departure shows at once. */
  static async start(): Promise<BuiltApp> {
    const app = new BuiltApp();
    const ready = /Rollcall is ready: \S+:(\d+)/;
    await until(() => ready.test(app.log));
    app.port = Number(ready.exec(app.log)?.[1]);
    return app;
  }

  /** The address of the pages. */
  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /** A user who is signed in to Rollcall. */
  visitor(): Promise<HttpVisitor> {
    return this.#visitor ??= this.#signIn();
  }

  async #signIn(): Promise<HttpVisitor> {
    const link = /\/setup\?token=(\S+)/;
    await until(() => link.test(this.log));
    const visitor = new HttpVisitor(this.origin);
    await visitor.setUp(link.exec(this.log)?.[1] ?? "", ada);
    return visitor;
  }

  get #logPath(): string {
    return `${this.#folder}/log`;
  }

  get #appsPath(): string {
    return `${this.#folder}/apps.json`;
  }

  /** The output of the server so far. */
  get log(): string {
    try {
      return Deno.readTextFileSync(this.#logPath);
    } catch {
      return "";
    }
  }

  /** Serves an app; one with the same id keeps its connections and gets the new rules. */
  async put(app: AppConfig): Promise<void> {
    this.#apps.set(app.id, app);
    await this.#reload();
  }

  /** Stops serving an app: its connections are closed. */
  async delete(app: AppConfig): Promise<void> {
    this.#apps.delete(app.id);
    await this.#reload();
  }

  /** Each list ends with an app that no list had before: once that is served, all of them are. */
  async #reload(): Promise<void> {
    const last = { id: crypto.randomUUID(), key: crypto.randomUUID(), secret: crypto.randomUUID() };
    const before = this.log.length;
    this.#writeApps(last);
    this.#process.kill("SIGHUP");
    await until(() => this.#serves(last), "the list of apps was read again").catch((error) => {
      throw new Error(`${error.message}:\n${this.log.slice(before)}`);
    });
  }

  async #serves({ id }: AppConfig): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.port}/apps/${id}/channels`);
    await response.body?.cancel();
    return response.status !== 404;
  }

  #writeApps(...last: AppConfig[]): void {
    const apps = [own, ...this.#apps.values(), ...last].map(listedApp);
    Deno.writeTextFileSync(this.#appsPath, JSON.stringify(apps));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await withTimeout(this.#process.status, "the built app had ended", timeoutMs);
    await Deno.remove(this.#folder, { recursive: true });
  }
}
