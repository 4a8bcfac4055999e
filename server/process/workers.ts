import { dirname, join, resolve } from "node:path";
import { ServerLock } from "../database/server_lock.ts";
import type { Config } from "../config/config.ts";
import { logOf, startLogging } from "../observability/logging.ts";
import { keepDebuggerClosed } from "./uncaught_errors.ts";
import { endStart, isLaunched, orExit, terminalIsGone, whyNotOpened } from "./start_failure.ts";
import { type Command, type WorkerEnd, WorkerPool } from "./worker_pool.ts";
import { coordinatorNumber, roleEnvironment, workerRole } from "../config/worker_role.ts";

/** The signal with which the worker that announces reports that it has done so. */
const readySignal = "SIGUSR2";

/** The flag without which Deno does not let processes share a port. */
const portSharing = "--unstable-net";

/** Adds the flag to a command line of Deno's; a compiled program has it from its compilation. */
function withPortSharing(words: string[]): string[] {
  if (words.includes(portSharing)) return words;
  return words[0] === "run" ? ["run", portSharing, ...words.slice(1)] : [portSharing, ...words];
}

/** Reports to the supervisor, if this worker announces, that it has done so. */
export function reportReady(): void {
  const { supervisor, announces } = workerRole ?? {};
  // Another process may have its number meanwhile.
  if (announces && supervisor === Deno.ppid) Deno.kill(supervisor, readySignal);
}

const log = logOf("server");

/** What a worker may need for its stop beyond `DRAIN_MS`, in milliseconds. */
const stopMs = 5_000;

/** A worker that runs. */
interface Worker {
  process: Deno.ChildProcess;
  /**
   * Kept open: the worker ends when it closes, as it does when the supervisor is killed. Something is written there to
   * a coordinator.
   */
  stdin: WritableStreamDefaultWriter<Uint8Array>;
}

/**
 * Runs this command line in `WORKERS` processes that serve one port, and restarts processes that end. SIGTERM,
 * SIGINT and SIGHUP are for all of them. Ends this process with 0 when they have stopped after a signal, or
 * with the exit code of the first one when it cannot start.
 */
export async function superviseWorkers(config: Config): Promise<never> {
  startLogging(config.log);
  keepDebuggerClosed();
  // With Redis, the workers share a database with other servers, too.
  const place = config.redis ? undefined : await orExit(takePlace(config), config, whyNotOpened);
  if (isPortTaken(config)) {
    place?.leave();
    endStart([`PORT: "${config.port}" is in use; expected a free one`], 1);
  }
  const supervisor = new Supervisor(config, await ownArguments(), place);
  supervisor.begin();
  return await new Promise<never>(() => {});
}

/** Whether the port is in use shows here only: workers share it with any process of the same user. */
function isPortTaken({ host, port }: Config): boolean {
  try {
    Deno.listen({ hostname: host, port }).close();
    return false;
  } catch (error) {
    // The workers explain all other faults.
    return error instanceof Deno.errors.AddrInUse;
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
  readonly #group = crypto.randomUUID();
  /** Absent: the workers share their users in Redis. */
  readonly #place: Place | undefined;
  readonly #workers = new Map<number, Worker>();
  /** Which process coordinates the workers, and since when, by the clock of this process. */
  #coordinator: { number: number; since: number } | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(config: Config, args: string[], place: Place | undefined) {
    this.#config = config;
    this.#args = args;
    this.#place = place;
    this.#pool = new WorkerPool(config.workers, place !== undefined);
  }

  begin(): void {
    const pool = this.#pool;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      Deno.addSignalListener(signal, () => {
        if (!isLaunched || !pool.isStopping) this.#carryOut(pool.stop(signal));
      });
    }
    Deno.addSignalListener("SIGHUP", () => {
      this.#carryOut(terminalIsGone() ? pool.stop("SIGTERM") : pool.reload());
    });
    Deno.addSignalListener(readySignal, () => this.#carryOut(pool.ready()));
    this.#carryOut(pool.begin());
    if (this.#place) void this.#watchCoordinator(this.#place);
  }

  async #watchCoordinator({ socketPath }: Place): Promise<void> {
    // Here, as no other process needs it.
    const { watchCoordinator } = await import("./coordinator_process.ts");
    await watchCoordinator(socketPath, {
      answers: () => this.#carryOut(this.#pool.coordinatorAnswers()),
      isSilent: () => this.#endSilentCoordinator(),
    });
  }

  /** Another one is started. */
  #endSilentCoordinator(): void {
    if (!this.#coordinator) return;
    const { number, since } = this.#coordinator;
    if (!this.#pool.isFrozen(performance.now() - since)) return;
    log.error("The coordinator of the workers does not answer, and is ended");
    this.#workers.get(number)?.process.kill("SIGKILL");
  }

  #carryOut(commands: Command[]): void {
    for (const each of commands) {
      if (each.command === "start") setTimeout(() => this.#start(each.worker), each.afterMs);
      else if (each.command === "coordinate") this.#coordinate(each.worker);
      else if (each.command === "signal") this.#signal(each.signal);
      else this.#exit(each.code);
    }
    if (!this.#pool.isStopping) return;
    const timeoutMs = this.#config.drainMs + stopMs;
    this.#deadline ??= setTimeout(() => this.#carryOut(this.#pool.overdue()), timeoutMs);
  }

  #start(number: number): void {
    if (this.#pool.isStopping) return;
    const start = performance.now();
    const ended = ({ code, signal }: Pick<Deno.CommandStatus, "code" | "signal">) => {
      const end = { code, signal, ranMs: performance.now() - start };
      const isCoordinator = number === this.#coordinator?.number;
      if (isCoordinator) this.#coordinator = undefined;
      this.#workers.delete(number);
      const commands = this.#pool.ended(number, end);
      const isRestarted = commands.some(({ command }) => command === "start");
      if (isRestarted) logRestart(number, end, isCoordinator);
      this.#carryOut(commands);
    };
    try {
      const process = this.#spawn(number);
      this.#workers.set(number, { process, stdin: process.stdin.getWriter() });
      this.#carryOut(this.#pool.started(number));
      process.status.then(ended);
    } catch (error) {
      log.error("A worker could not be started", { worker: number, error });
      ended({ code: 1, signal: null });
    }
  }

  #coordinate(number: number): void {
    this.#coordinator = { number, since: performance.now() };
    // One that has just ended is replaced when its status says so.
    this.#workers.get(number)?.stdin.write(new Uint8Array(1)).catch(() => {});
  }

  #spawn(number: number): Deno.ChildProcess {
    return new Deno.Command(Deno.execPath(), {
      args: this.#args,
      env: roleEnvironment({
        supervisor: Deno.pid,
        group: this.#group,
        number: Math.max(number, coordinatorNumber),
        announces: this.#pool.announces(number),
        socketPath: this.#place?.socketPath,
      }),
      stdin: "piped",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  }

  /** The coordinator ends when the workers have. */
  #exit(code: number): never {
    this.#place?.leave();
    Deno.exit(code);
  }

  #signal(signal: Deno.Signal): void {
    for (const [number, { process }] of this.#workers) {
      // It serves the workers until they have stopped.
      if (number <= coordinatorNumber && signal !== "SIGKILL") continue;
      try {
        process.kill(signal);
      } catch {
        // It has ended, which its status reports.
      }
    }
  }
}

function logRestart(worker: number, { code, signal }: WorkerEnd, isCoordinator: boolean): void {
  if (isCoordinator) {
    log.error("The coordinator of the workers ended and is replaced", { code, signal });
  } else if (worker <= coordinatorNumber) {
    log.error("The standby of the coordinator ended and is started again", { code, signal });
  } else log.error("A worker ended and is started again", { worker, code, signal });
}

/** What the workers of one machine share besides their database. */
interface Place {
  /** Where their coordinator listens. */
  readonly socketPath: string;
  /** Removes what is there, and lets another server use the database. */
  leave(): void;
}

const socketName = "workers.sock";

/** How long the path of a socket may be on Linux, in bytes. */
const maxPathBytes = 107;

/**
 * Takes the data folder for the workers of this supervisor, which lets no other server use the database.
 *
 * @throws {DatabaseError} when another server uses it.
 * @throws {Error} when the folder cannot be written.
 */
async function takePlace({ dataFolder, drainMs }: Config): Promise<Place> {
  await Deno.mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const log = logOf("server");
  const lock = await ServerLock.take(dataFolder, {
    timeoutMs: drainMs + 5_000,
    onWait: (holder) => log.info("Waiting for another server to stop", { holder }),
  });
  const socketPath = socketPathIn(dataFolder);
  return {
    socketPath,
    leave() {
      remove(socketPath);
      const folder = dirname(socketPath);
      if (folder !== resolve(dataFolder)) remove(folder);
      lock[Symbol.dispose]();
    },
  };
}

/** In the data folder, or where that has too long a path in a temporary folder that only this user can open. */
function socketPathIn(dataFolder: string): string {
  const path = join(resolve(dataFolder), socketName);
  if (new TextEncoder().encode(path).length <= maxPathBytes) return path;
  return join(Deno.makeTempDirSync({ prefix: "rollcall-" }), socketName);
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // The socket of a coordinator that never listened is not there.
  }
}
