import type { Database } from "./database.ts";

/** The database or a copy of it cannot be used. The message is one line for the console. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
}

/** Another process has the database open. */
export class DatabaseInUse extends DatabaseError {
  override name = "DatabaseInUse";
}

/**
 * The database cannot do its work now, for a reason outside of the program: a statement may succeed when
 * it is repeated later. The message is the engine's.
 */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
  /** The start and the end of an outage are logged; what fails meanwhile needs no line of its own. */
  readonly isReported = true;
  /** Of the engine or the system, such as `ECONNREFUSED`. */
  readonly code: string;
  /** A few words for people, without secrets. */
  readonly reason: string;
  /** Whether data can still be read. */
  readonly isReadable: boolean;

  constructor(error: unknown, { code, reason, isReadable = false }: Fault) {
    super(error instanceof Error ? error.message : String(error), { cause: error });
    // The fault is not at the place of the statement.
    this.stack = undefined;
    this.code = code;
    this.reason = reason;
    this.isReadable = isReadable;
  }
}

interface Fault {
  code: string;
  reason: string;
  isReadable?: boolean;
}

type Faults = Record<string, Omit<Fault, "code">>;

/** @returns the error of a statement, as a {@link DatabaseUnavailable} if it is one. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fault = faultOfLock(error) ?? faultOfSqlite(error) ?? faultOfPostgres(error);
  return fault ? new DatabaseUnavailable(error, fault) : error;
}

function faultOfLock(error: Error): Fault | null {
  return error instanceof DatabaseInUse ? { code: "", reason: "another server uses it" } : null;
}

/** By SQLite's result codes: https://sqlite.org/rescode.html */
const sqliteFaults: Faults = {
  5: { reason: "another process has locked it", isReadable: true },
  8: { reason: "it is read-only", isReadable: true },
  10: { reason: "its disk fails", isReadable: true },
  13: { reason: "the disk is full", isReadable: true },
  14: { reason: "its file cannot be opened", isReadable: true },
};

/** The low byte of an extended code is the result code. */
function faultOfSqlite(error: Error): Fault | null {
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode !== "number") return null;
  const fault = sqliteFaults[errcode & 0xff];
  return fault ? { code: `SQLITE_${errcode & 0xff}`, ...fault } : null;
}

/**
 * By the codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), by the
 * first two characters of these, and by the codes of the system.
 */
const postgresFaults: Faults = {
  "08": { reason: "the connection was lost" },
  "25006": { reason: "it is read-only", isReadable: true },
  "28": { reason: "it refuses the user or password" },
  "3D000": { reason: "there is no such database" },
  "53100": { reason: "the disk is full", isReadable: true },
  "53300": { reason: "it has too many connections" },
  "53": { reason: "it lacks resources" },
  "57014": { reason: "it takes too long" },
  "57P": { reason: "it stops or starts" },
  "58": { reason: "its disk fails", isReadable: true },
  ECONNREFUSED: { reason: "nothing listens there" },
  ECONNRESET: { reason: "the connection was lost" },
  EPIPE: { reason: "the connection was lost" },
  ETIMEDOUT: { reason: "it does not answer" },
  EHOSTUNREACH: { reason: "its host cannot be reached" },
  ENETUNREACH: { reason: "its host cannot be reached" },
  ENOENT: { reason: "its socket does not exist" },
  ENOTFOUND: { reason: "its host is unknown" },
  EAI_AGAIN: { reason: "its host is unknown" },
  EMFILE: { reason: "this process has too many files open" },
};

/** Errors of the driver, which have no code. */
const driverFaults: [message: RegExp, reason: string][] = [
  [/Connection terminated|connection error and is not queryable/, "the connection was lost"],
  [/timeout/i, "it does not answer"],
];

function faultOfPostgres(error: Error): Fault | null {
  const code = String((error as { code?: unknown }).code ?? "");
  const lengths = [code.length, 3, 2];
  const group = lengths.map((length) => code.slice(0, length)).find((start) =>
    Object.hasOwn(postgresFaults, start)
  );
  if (group) return { code, ...postgresFaults[group] };
  if (code !== "") return null;
  const [, reason] = driverFaults.find(([message]) => message.test(error.message)) ?? [];
  return reason ? { code, reason } : null;
}

/** What is wrong with a database. */
export interface Outage {
  /** A few words for people, without secrets. */
  reason: string;
  /** In ms since 1970. */
  since: number;
  /** Whether data can still be read. */
  isReadable: boolean;
}

/** Called when an outage begins, and with the one that is over. */
interface OutageListener {
  began(outage: Outage): void;
  ended(outage: Outage): void;
}

/** A success so soon after a failure, in ms, may be of a statement that ran before it. */
const settlingMs = 1_000;

/**
 * Knows from the outcome of every statement whether the database works. It makes no attempts of its own:
 * a server uses its database every few seconds.
 */
export class Outages {
  #current: Outage | null = null;
  #count = 0;
  #failedAt = 0;
  #listener: OutageListener | undefined;
  readonly #now: () => number;

  /** @param now in ms since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** What is wrong now; null while the database works. */
  get current(): Outage | null {
    return this.#current;
  }

  /** How many outages began. */
  get count(): number {
    return this.#count;
  }

  /** Sets the listener, and notifies it of an outage that has begun already. */
  listen(listener: OutageListener): void {
    this.#listener = listener;
    if (this.#current) listener.began(this.#current);
  }

  /** A statement failed because of the database. */
  failed({ reason, isReadable }: DatabaseUnavailable): void {
    this.#failedAt = this.#now();
    // The worse of two: a full disk does not end while the server cannot be reached.
    if (this.#current && (isReadable || !this.#current.isReadable)) return;
    const since = this.#current?.since ?? this.#failedAt;
    this.#count += this.#current ? 0 : 1;
    this.#current = { reason, since, isReadable };
    this.#listener?.began(this.#current);
  }

  /** A statement succeeded. @param hasWritten whether it changed data for good. */
  succeeded(hasWritten: boolean): void {
    if (!this.#current || this.#now() - this.#failedAt < settlingMs) return;
    if (this.#current.isReadable && !hasWritten) return;
    const ended = this.#current;
    this.#current = null;
    this.#listener?.ended(ended);
  }
}

/** Whether a promise resolves in time; false also when it rejects. */
export async function resolvesWithin(
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([promise.then(() => true, () => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limit for the simplest query, in milliseconds. */
const timeoutMs = 2_000;

/**
 * Makes a probe of a database. Simultaneous calls share one query, so that frequent probes use no
 * additional connections.
 *
 * @returns a function that tests whether the database answers within two seconds.
 */
export function databaseAnswers({ queries }: Database): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  const probe = () => {
    const query = queries.selectFrom("migration").select("number").limit(1).execute();
    return resolvesWithin(timeoutMs, query).finally(() => running = undefined);
  };
  return () => running ??= probe();
}
