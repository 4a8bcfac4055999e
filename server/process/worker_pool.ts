import { coordinatorNumber } from "../config/worker_role.ts";

/** What the supervisor does next. */
export type Command =
  | { command: "start"; worker: number; afterMs: number }
  /** The process is the coordinator from now on. */
  | { command: "coordinate"; worker: number }
  /** To every worker that runs. */
  | { command: "signal"; signal: Deno.Signal }
  /** End this process; no worker runs, or the rest is killed before. */
  | { command: "exit"; code: number };

/** How a worker ended. */
export interface WorkerEnd {
  code: number;
  signal: string | null;
  /** How long it ran, in milliseconds. */
  ranMs: number;
}

/** The exit code of a process whose setting is invalid, so that another start would fail too. */
const invalidSetting = 2;

/** The wait before a worker that ended is started again, in ms: doubled at each end, up to a limit. */
const [firstWaitMs, longestWaitMs] = [100, 5_000];

/** After so long a run, in ms, the next end is the first one again. */
const steadyMs = 10_000;

/** What a coordinator may need until it answers first, in milliseconds. */
const firstAnswerMs = 30_000;

/** The coordinator and its standby, in either order. */
const coordinators = [coordinatorNumber, -1];

/**
 * Decides which workers to start and when, and when to end. The first worker starts alone, so that what
 * keeps all of them from starting is printed once, and the others when it is ready. A coordinator has a standby, as the
 * numbers are stale from its end until another one listens, and a start takes seconds on a busy machine.
 */
export class WorkerPool {
  readonly #count: number;
  readonly #hasCoordinator: boolean;
  readonly #running = new Set<number>();
  /** The coordinator, and its standby. */
  readonly #coordinators = new Set<number>();
  #coordinator: number | undefined;
  #hasStandby = false;
  readonly #ends = new Map<number, number>();
  #isReady = false;
  /** Whether the coordinator that runs has answered once. */
  #hasAnswered = false;
  /** The exit code once the workers are stopping. */
  #code: number | undefined;

  /** @param count how many workers there are, besides their coordinator, if they have one. */
  constructor(count: number, hasCoordinator = false) {
    this.#count = count;
    this.#hasCoordinator = hasCoordinator;
  }

  /** Whether the workers end, and none is started again. */
  get isStopping(): boolean {
    return this.#code !== undefined;
  }

  /** Whether a worker that starts now announces that Rollcall is ready. */
  announces(worker: number): boolean {
    return worker === 1 && !this.#isReady;
  }

  /** The start of the supervisor. */
  begin(): Command[] {
    // The first worker waits for the coordinator.
    const numbers = this.#hasCoordinator ? [coordinatorNumber, 1] : [1];
    return numbers.map((worker) => ({ command: "start", worker, afterMs: 0 }));
  }

  /** A worker was started. */
  started(worker: number): Command[] {
    // All can end without the coordinator.
    (coordinators.includes(worker) ? this.#coordinators : this.#running).add(worker);
    return this.#replaceCoordinator();
  }

  /** The coordinator answers: from now on, it has a standby. */
  coordinatorAnswers(): Command[] {
    // It may have ended meanwhile.
    if (this.#coordinator === undefined) return [];
    this.#hasAnswered = true;
    if (this.#hasStandby || this.isStopping) return [];
    this.#hasStandby = true;
    const worker = coordinators.find((each) => each !== this.#coordinator)!;
    return [{ command: "start", worker, afterMs: 0 }];
  }

  /** Of the processes that could be the coordinator, the first one is, if none is. */
  #replaceCoordinator(): Command[] {
    const [worker] = this.#coordinators;
    if (this.#coordinator !== undefined || worker === undefined) return [];
    this.#coordinator = worker;
    this.#hasAnswered = false;
    return [{ command: "coordinate", worker }];
  }

  /**
   * Whether to kill a coordinator that does not answer. One that has never answered has longer: a start is slow on a
   * busy machine.
   *
   * @param ranMs since it was told to coordinate.
   */
  isFrozen(ranMs: number): boolean {
    return !this.isStopping && (this.#hasAnswered || ranMs >= firstAnswerMs);
  }

  /** The first worker is ready. */
  ready(): Command[] {
    if (this.#isReady || this.isStopping) return [];
    this.#isReady = true;
    return Array.from(
      { length: this.#count - 1 },
      (_, index) => ({ command: "start", worker: index + 2, afterMs: 0 }),
    );
  }

  /** A worker ended, or could not be started. */
  ended(worker: number, { code, signal, ranMs }: WorkerEnd): Command[] {
    this.#running.delete(worker);
    this.#coordinators.delete(worker);
    if (this.#code !== undefined) {
      return coordinators.includes(worker) ? [] : this.#exitWhenDone(this.#code);
    }
    const isOver = signal === null && (code === invalidSetting || code !== 0 && !this.#isReady);
    if (isOver) return this.#stop("SIGTERM", code);
    const ends = ranMs >= steadyMs ? 0 : this.#ends.get(worker) ?? 0;
    this.#ends.set(worker, ends + 1);
    const waitMs = Math.min(firstWaitMs * 2 ** ends, longestWaitMs);
    if (worker === this.#coordinator) this.#coordinator = undefined;
    const commands = this.#replaceCoordinator();
    // Without a standby, the numbers are stale until it is back.
    const isUrgent = coordinators.includes(worker) && this.#coordinator === undefined && ends === 0;
    return [...commands, { command: "start", worker, afterMs: isUrgent ? 0 : waitMs }];
  }

  /** The supervisor is told to stop: the workers stop, and at the second time they are killed. */
  stop(signal: Deno.Signal): Command[] {
    return this.#code === undefined ? this.#stop(signal, 0) : this.overdue();
  }

  /** The workers have had the time that a stop may take. */
  overdue(): Command[] {
    return [{ command: "signal", signal: "SIGKILL" }, { command: "exit", code: this.#code ?? 0 }];
  }

  /** The supervisor is told to reload the settings of the apps. */
  reload(): Command[] {
    return this.isStopping ? [] : [{ command: "signal", signal: "SIGHUP" }];
  }

  #stop(signal: Deno.Signal, code: number): Command[] {
    this.#code = code;
    return this.#running.size > 0 ? [{ command: "signal", signal }] : this.#exitWhenDone(code);
  }

  #exitWhenDone(code: number): Command[] {
    return this.#running.size > 0 ? [] : [{ command: "exit", code }];
  }
}
