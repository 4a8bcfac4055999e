import { join } from "node:path";
import { Coordinator } from "@/realtime/cluster/coordinator/coordinator.ts";
import type { MemorySurroundings } from "@/realtime/cluster/state/memory/memory_state.ts";
import { CoordinatorEngine } from "@/realtime/cluster/coordinator/coordinator_engine.ts";
import { until } from "../../../fixtures/eventually.ts";

/** A coordinator in this process, and servers that are connected to it. */
export class CoordinatorHarness implements AsyncDisposable {
  readonly #folder: string;
  readonly #rules: Partial<MemorySurroundings>;
  readonly #engines: CoordinatorEngine[] = [];
  #coordinator: Coordinator;
  /** What the servers logged. */
  readonly logged: string[] = [];

  private constructor(folder: string, rules: Partial<MemorySurroundings>) {
    this.#folder = folder;
    this.#rules = rules;
    this.#coordinator = this.#listen();
  }

  static async start(rules: Partial<MemorySurroundings> = {}): Promise<CoordinatorHarness> {
    return new CoordinatorHarness(await Deno.makeTempDir({ prefix: "rollcall-" }), rules);
  }

  get socketPath(): string {
    return join(this.#folder, "workers.sock");
  }

  /** Connects another server. */
  async connect(): Promise<CoordinatorEngine> {
    const engine = await CoordinatorEngine.open({
      socketPath: this.socketPath,
      log: ({ message }) => this.logged.push(message),
    });
    this.#engines.push(engine);
    return engine;
  }

  /** The coordinator ends, as by a kill. */
  async end(): Promise<void> {
    await this.#coordinator.close();
    await until(() => this.#engines.every(({ link }) => !link.isUp), "all had noticed");
  }

  /** Another one has its place, and all servers are connected to it. */
  async replace(): Promise<void> {
    this.#coordinator = this.#listen();
    await until(() => this.#engines.every(({ link }) => link.isUp), "all were connected");
  }

  /** Ends, and is replaced. */
  async restart(): Promise<void> {
    await this.end();
    await this.replace();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#engines.map(({ link }) => link.close()));
    await this.#coordinator.idle();
    await this.#coordinator.close();
    await Deno.remove(this.#folder, { recursive: true });
  }

  #listen(): Coordinator {
    const coordinator = new Coordinator(this.#rules);
    coordinator.listen(this.socketPath);
    return coordinator;
  }
}
