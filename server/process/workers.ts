import { z } from "zod";
import type { Config } from "../config/config.ts";
import { logOf, startLogging } from "../observability/logging.ts";
import { keepDebuggerClosed } from "./uncaught_errors.ts";
import { endStart, terminalIsGone } from "./start_failure.ts";
import { type Command, WorkerPool } from "./worker_pool.ts";

/** A variable that the supervisor gives a worker: the supervisor's process, and what the worker is. */
const roleVariable = "ROLLCALL_WORKER";

/** The signal with which the worker that announces reports that it has done so. */
const readySignal = "SIGUSR2";

const roleSchema = z.object({
  /** The process that started it. */
  supervisor: z.int().positive(),
  /** From 1. */
  number: z.int().positive(),
  /** Whether it announces, for all workers, that Rollcall is ready. */
  announces: z.boolean(),
});

/** What a worker is among the workers of its supervisor. */
type WorkerRole = z.infer<typeof roleSchema>;

/** The flag without which Deno does not let processes share a port. */
const portSharing = "--unstable-net";

/** Adds the flag to a command line of Deno's; a compiled program has it from its compilation. */
function withPortSharing(words: string[]): string[] {
  if (words.includes(portSharing)) return words;
  return words[0] === "run" ? ["run", portSharing, ...words.slice(1)] : [portSharing, ...words];
}

/** What this process is for the supervisor that started it; undefined when none did. */
export const workerRole: WorkerRole | undefined = readRole(Deno.env.get(roleVariable));

/** The environment that makes a process a worker. */
function workerEnvironment(role: WorkerRole): Record<string, string> {
  return { [roleVariable]: JSON.stringify(role) };
}

function readRole(text: string | undefined): WorkerRole | undefined {
  return text === undefined ? undefined : roleSchema.parse(JSON.parse(text));
}

/** Reports to the supervisor, if this worker announces, that it has done so. */
export function reportReady(): void {
  const { supervisor, announces } = workerRole ?? {};
  // Another process may have its number meanwhile.
  if (announces && supervisor === Deno.ppid) Deno.kill(supervisor, readySignal);
}

/** Resolves when the supervisor has ended, also by a kill: it holds the other end of stdin. */
export async function supervisorEnded(): Promise<void> {
  const bytes = new Uint8Array(64);
  try {
    while (await Deno.stdin.read(bytes) !== null);
  } catch {
    // What cannot be read has no other end.
  }
}

const log = logOf("server");

/** What a worker may need for its stop beyond `DRAIN_MS`, in milliseconds. */
const stopMs = 5_000;

/** A worker that runs. */
interface Worker {
  process: Deno.ChildProcess;
  /** Kept open: the worker ends when it closes, as it does when the supervisor is killed. */
  stdin: WritableStream;
}

/**
 * Runs this command line in `WORKERS` processes that serve one port, and restarts processes that end. SIGTERM,
 * SIGINT and SIGHUP are for all of them. Ends this process with 0 when they have stopped after a signal, or
 * with the exit code of the first one when it cannot start.
 */
export async function superviseWorkers(config: Config): Promise<never> {
  startLogging(config.log);
  keepDebuggerClosed();
  refuseTakenPort(config);
  const supervisor = new Supervisor(config, await ownArguments());
  supervisor.begin();
  return await new Promise<never>(() => {});
}

/** Whether the port is in use shows here only: workers share it with any process of the same user. */
function refuseTakenPort({ host, port }: Config): void {
  try {
    Deno.listen({ hostname: host, port }).close();
  } catch (error) {
    // The workers explain all other faults.
    if (!(error instanceof Deno.errors.AddrInUse)) return;
    endStart([`PORT: "${port}" is in use; expected a free one`], 1);
  }
}

/** The command line of this process, without the program. */
async function ownArguments(): Promise<string[]> {
  const line = await Deno.readTextFile("/proc/self/cmdline");
  const words = line.split("\0").slice(1, -1);
  return Deno.build.standalone ? words : withPortSharing(words);
}

class Supervisor {
  readonly #config: Config;
  readonly #args: string[];
  readonly #pool: WorkerPool;
  readonly #workers = new Map<number, Worker>();
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(config: Config, args: string[]) {
    this.#config = config;
    this.#args = args;
    this.#pool = new WorkerPool(config.workers);
  }

  begin(): void {
    const pool = this.#pool;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      Deno.addSignalListener(signal, () => this.#carryOut(pool.stop(signal)));
    }
    Deno.addSignalListener("SIGHUP", () => {
      this.#carryOut(terminalIsGone() ? pool.stop("SIGTERM") : pool.reload());
    });
    Deno.addSignalListener(readySignal, () => this.#carryOut(pool.ready()));
    this.#carryOut(pool.begin());
  }

  #carryOut(commands: Command[]): void {
    for (const each of commands) {
      if (each.command === "start") setTimeout(() => this.#start(each.worker), each.afterMs);
      else if (each.command === "signal") this.#signal(each.signal);
      else Deno.exit(each.code);
    }
    if (!this.#pool.isStopping) return;
    const timeoutMs = this.#config.drainMs + stopMs;
    this.#deadline ??= setTimeout(() => this.#carryOut(this.#pool.overdue()), timeoutMs);
  }

  #start(number: number): void {
    if (this.#pool.isStopping) return;
    const start = performance.now();
    const ended = ({ code, signal }: Pick<Deno.CommandStatus, "code" | "signal">) => {
      this.#workers.delete(number);
      const ranMs = performance.now() - start;
      const commands = this.#pool.ended(number, { code, signal, ranMs });
      if (commands.some(({ command }) => command === "start")) {
        log.error("A worker ended and is started again", { worker: number, code, signal });
      }
      this.#carryOut(commands);
    };
    try {
      const process = this.#spawn(number);
      this.#workers.set(number, { process, stdin: process.stdin });
      this.#pool.started(number);
      process.status.then(ended);
    } catch (error) {
      log.error("A worker could not be started", { worker: number, error });
      ended({ code: 1, signal: null });
    }
  }

  #spawn(number: number): Deno.ChildProcess {
    return new Deno.Command(Deno.execPath(), {
      args: this.#args,
      env: workerEnvironment({
        supervisor: Deno.pid,
        number,
        announces: this.#pool.announces(number),
      }),
      stdin: "piped",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  }

  #signal(signal: Deno.Signal): void {
    for (const { process } of this.#workers.values()) {
      try {
        process.kill(signal);
      } catch {
        // It has ended, which its status reports.
      }
    }
  }
}
