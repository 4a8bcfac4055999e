/** The result of a run of Deno. */
export interface Outcome {
  args: readonly string[];
  success: boolean;
  /** All that it printed on stdout. */
  output: string;
  durationMs: number;
}

const endSignals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs of Deno, each in a process group of its own. All that are under way end with this process.
 */
export class DenoRuns {
  readonly #groups = new Set<number>();
  #haveEnded = false;
  /** Resolves when the run before has printed everything. */
  #printed: Promise<unknown> = Promise.resolve();

  constructor() {
    for (const signal of endSignals) {
      Deno.addSignalListener(signal, async () => {
        await this.endAll();
        Deno.exit(130);
      });
    }
  }

  /**
   * Runs Deno. Of runs at the same time each prints when those before it have ended, so that their
   * output does not mix.
   *
   * @param environment variables beyond this process's.
   */
  run(args: readonly string[], environment: Record<string, string> = {}): Promise<Outcome> {
    const outcome = this.#runInTurn(args, environment, this.#printed);
    this.#printed = outcome;
    return outcome;
  }

  /**
   * Runs Deno with each list of arguments, in that order, some at a time. Each run prints when it has
   * ended.
   *
   * @param jobs how many run at a time.
   * @param environment variables beyond this process's.
   */
  async runEach(
    lists: readonly (readonly string[])[],
    jobs: number,
    environment: Record<string, string> = {},
  ): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const waiting = lists.values();
    const work = async () => {
      for (const args of waiting) {
        const outcome = await this.#run(args, environment);
        writeAll(outcome.output);
        outcomes.push(outcome);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    return outcomes;
  }

  async #runInTurn(
    args: readonly string[],
    environment: Record<string, string>,
    turn: Promise<unknown>,
  ): Promise<Outcome> {
    let printed = "";
    let isTurn = false;
    const print = (output: string) => {
      if (!isTurn) return;
      writeAll(output.slice(printed.length));
      printed = output;
    };
    const ended = this.#run(args, environment, print);
    await turn;
    isTurn = true;
    const outcome = await ended;
    print(outcome.output);
    return outcome;
  }

  /** @param onOutput gets all that was printed so far. */
  async #run(
    args: readonly string[],
    environment: Record<string, string>,
    onOutput: (output: string) => void = () => {},
  ): Promise<Outcome> {
    if (this.#haveEnded) return { args, success: false, output: "", durationMs: 0 };
    const start = performance.now();
    const child = new Deno.Command(Deno.execPath(), {
      args: [...args],
      env: { NO_COLOR: "1", ...environment },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      detached: true,
    }).spawn();
    this.#groups.add(child.pid);
    const decoder = new TextDecoder();
    let output = "";
    for await (const chunk of child.stdout) {
      output += decoder.decode(chunk, { stream: true });
      onOutput(output);
    }
    const { success } = await child.status;
    this.#groups.delete(child.pid);
    return { args, success, output, durationMs: performance.now() - start };
  }

  /** Ends each run with all that it started; later runs fail. */
  async endAll(): Promise<void> {
    this.#haveEnded = true;
    const groups = [...this.#groups].map((pid) => `-${pid}`);
    await new Deno.Command("kill", { args: ["-KILL", "--", ...groups] }).output();
  }
}

function writeAll(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length;) start += Deno.stdout.writeSync(bytes.subarray(start));
}
