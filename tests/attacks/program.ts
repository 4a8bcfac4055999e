import { runFlags } from "../../tools/test/configuration.ts";

/** A program of this folder in a process of its own; disposing kills it. */
export class Program implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;

  /** @param options what it finds in its first argument, as JSON. */
  constructor(script: string, options: unknown) {
    const { pathname } = new URL(script, import.meta.url);
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [...runFlags, "-A", pathname, JSON.stringify(options)],
      stdin: "null",
      stdout: "piped",
    }).spawn();
  }

  /** Resolves when it has printed something. @throws {Error} when it ends before */
  async isReady(): Promise<void> {
    const { done } = await this.#process.stdout.getReader().read();
    if (done) throw new Error("A program has ended");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.#process.status;
  }
}

/** Clock ticks of a second in `/proc`. */
const ticksPerSecond = 100;

/** The CPU time and the memory of a process on Linux. */
export class ServerLoad {
  private constructor(readonly pid: number, readonly cpuBefore: number) {}

  readonly #since = performance.now();

  /** Starts to measure. */
  static async start(pid: number): Promise<ServerLoad> {
    return new ServerLoad(pid, await cpuSeconds(pid));
  }

  /** CPU seconds per second since the start. */
  async cpu(): Promise<number> {
    return (await cpuSeconds(this.pid) - this.cpuBefore) * 1_000 /
      (performance.now() - this.#since);
  }

  /** The most memory that the process ever had, in megabytes. */
  async memory(): Promise<number> {
    const status = await Deno.readTextFile(`/proc/${this.pid}/status`);
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1e3;
  }
}

async function cpuSeconds(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
