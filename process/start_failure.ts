import { SecretsError } from "../config/kept_secrets.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { DatabaseError } from "../database/database_error.ts";

/** Says why a start failed, for the console; null when no setting is to blame. */
type Explain = (error: unknown, config: Config) => string | null;

/**
 * Waits for a step of the start. Where a setting keeps it from succeeding, the process ends with one
 * line that names the setting; anything else is thrown on.
 */
export async function orExit<T>(
  step: Promise<T>,
  config: Config,
  explain: Explain,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    const reason = explain(error, config);
    if (reason === null) throw error;
    endStart([reason], error instanceof ConfigError ? 2 : 1);
  }
}

/** Tells a program that its start is under a watcher; `start.ts` passes it. */
export const watchedFlag = "--watched";

/** 1: could not start; 2: a setting has a value that is not allowed, so another start is in vain. */
export type FailureCode = 1 | 2;

/** How the program asks `start.ts` to end the watcher with an exit code. */
export const failureSignals = { 1: "SIGUSR1", 2: "SIGUSR2" } as const;

/**
 * Ends the process after these lines on the console. A watcher would wait for a file to change, which
 * mends no setting: it is ended too.
 */
export function endStart(lines: string[], code: FailureCode): never {
  for (const line of lines) console.error(line);
  if (Deno.args.includes(watchedFlag)) Deno.kill(Deno.ppid, failureSignals[code]);
  Deno.exit(code);
}

/** Why apps, database and data folder cannot be used. */
export const whyNotOpened: Explain = (error, { databaseUrl, dataFolder }) => {
  if (isExplained(error)) return error.message;
  const code = String(Reflect.get(Object(error), "code") ?? "");
  // Of a database server, such a code may tell of its socket.
  if (isOfFileSystem(error, databaseUrl === undefined ? code : "")) {
    return `DATA_DIR: ${JSON.stringify(dataFolder)} cannot be written; expected a folder that can`;
  }
  if (databaseUrl === undefined) return whyNotEmbedded(String(error), dataFolder);
  const fault = databaseFaults.get(code) ?? (/^[A-Z0-9_]+$/.test(code) ? code : "no answer");
  return `DATABASE_URL: (secret, not shown) cannot be used (${fault}); expected a database that can`;
};

/** What is wrong with a database server, by the codes of the system and of PostgreSQL. */
const databaseFaults = new Map([
  ["ECONNREFUSED", "nothing listens there, ECONNREFUSED"],
  ["ENOTFOUND", "no such host, ENOTFOUND"],
  ["28000", "this user may not connect, 28000"],
  ["28P01", "wrong user or password, 28P01"],
  ["3D000", "no such database, 3D000"],
  ["42501", "the user lacks rights, 42501"],
]);

/** Whether the message is one line for people. */
function isExplained(error: unknown): error is Error {
  return [ConfigError, DatabaseError, SecretsError].some((kind) => error instanceof kind);
}

function whyNotEmbedded(error: string, dataFolder: string): string | null {
  const database = `DATA_DIR: the database in ${JSON.stringify(dataFolder)}`;
  if (/database is locked/.test(error)) return `${database} is in use by another process`;
  if (/not a database|malformed/.test(error)) {
    return `${database} is damaged; restore a backup of it`;
  }
  return null;
}

function isOfFileSystem(error: unknown, code: string): boolean {
  return error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.AlreadyExists ||
    ["EACCES", "ENOTDIR", "EROFS", "ENOENT", "EEXIST"].includes(code) ||
    /read-only file system|unable to open database/i.test(String(error));
}

/** Why the server cannot listen. */
export const whyNotListening: Explain = (error, { host, port }) => {
  const text = String(error);
  if (error instanceof Deno.errors.AddrInUse) {
    return `PORT: "${port}" is in use; expected a free one`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return `PORT: "${port}" needs more rights than this process has; expected one from 1024 up`;
  }
  if (error instanceof Deno.errors.AddrNotAvailable || text.includes("failed to lookup address")) {
    return `HOST: "${host}" is not allowed; expected an address of this machine`;
  }
  if (/KeyMismatch|certificate|private key/i.test(text)) {
    return "TLS_KEY_FILE: does not belong to TLS_CERT_FILE, or one of them is damaged";
  }
  return null;
};
