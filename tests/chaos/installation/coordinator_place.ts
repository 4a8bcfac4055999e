import { join } from "node:path";
import { until } from "../../fixtures/eventually.ts";
import { runFlags } from "../../../tools/test/configuration.ts";

const program = new URL("coordinator_program.ts", import.meta.url).pathname;

/** What workers have in the place of Redis, in a process of its own. */
export class CoordinatorPlace implements AsyncDisposable {
  readonly socketPath: string;
  readonly #leaseMs: number;
  #process: Deno.ChildProcess;

  private constructor(socketPath: string, leaseMs: number) {
    this.socketPath = socketPath;
    this.#leaseMs = leaseMs;
    this.#process = this.#spawn();
  }

  static async start(folder: string, leaseMs: number): Promise<CoordinatorPlace> {
    const place = new CoordinatorPlace(join(folder, "coordinator.sock"), leaseMs);
    await place.#listens();
    return place;
  }

  get processId(): number {
    return this.#process.pid;
  }

  freeze(): void {
    this.#process.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.status;
    await Deno.remove(this.socketPath).catch(() => {});
  }

  /** Starts another one, which has no data. */
  async restart(): Promise<void> {
    this.#process = this.#spawn();
    await this.#listens();
  }

  async #listens(): Promise<void> {
    await until(async () => {
      try {
        (await Deno.connect({ transport: "unix", path: this.socketPath })).close();
        return true;
      } catch {
        return false;
      }
    }, "the coordinator listened");
  }

  #spawn(): Deno.ChildProcess {
    const words = [Deno.execPath(), ...runFlags, "-A", program];
    return new Deno.Command("setpriv", {
      // It ends with this process, however that ends.
      args: ["--pdeathsig=KILL", "--", ...words, this.socketPath, String(this.#leaseMs)],
      stdin: "null",
    }).spawn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.thaw();
    await this.kill();
  }
}
