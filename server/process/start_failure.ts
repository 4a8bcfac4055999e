import { SecretsError } from "../config/stored_secrets.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { DatabaseError } from "../database/unavailable.ts";

/** @returns why a start failed, as one line for the console; null when no setting caused it. */
type Explain = (error: unknown, config: Config) => string | null;

/**
 * Waits for a step of the start. Exits with one line that names the setting that made it fail; rethrows
 * other errors.
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

/** The flag by which `tools/start.ts` tells `dev.ts` that a watcher runs it. */
export const watchedFlag = "--watched";

/** Whether `tools/start.ts` runs this program under Deno's watcher. */
export const isWatched = Deno.args.includes(watchedFlag);

/**
 * Whether the launcher of the package for npm started this program, or the process whose worker it is. Then one
 * request to stop may arrive several times: from the terminal, from `npx` and from the launcher.
 */
export const isLaunched = Deno.env.has("ROLLCALL_LAUNCHED");

/** Exit codes. 1: the start failed; 2: a setting is invalid, so another start would fail too. */
type FailureCode = 1 | 2;

/**
 * The signals by which `dev.ts` makes `tools/start.ts` end the watcher with an exit code. Not SIGUSR1, at which
 * Deno opens V8's debugger.
 */
export const failureSignals = { 1: "SIGALRM", 2: "SIGUSR2" } as const;

/**
 * Prints lines and exits. Also ends a watcher, which would wait for a file to change although a setting
 * has to change.
 */
export function endStart(lines: string[], code: FailureCode): never {
  for (const line of lines) console.error(line);
  if (isWatched) Deno.kill(Deno.ppid, failureSignals[code]);
  Deno.exit(code);
}

/** Explains why the database, Redis, the data folder or the secrets cannot be used. */
export const whyNotOpened: Explain = (error, { databaseUrl, dataFolder }) => {
  if (isExplained(error)) return error.message;
  if (error instanceof Error && /^The coordinator of the workers: /.test(error.message)) {
    return error.message;
  }
  // These name the server, never a password.
  if (error instanceof Error && /^(Redis at|No sentinel) /.test(error.message)) {
    return `REDIS_URL: (secret, not shown) cannot be used (${error.message}); expected a Redis that can`;
  }
  const code = String(Reflect.get(Object(error), "code") ?? "");
  // With PostgreSQL, such a code can be about its Unix socket.
  if (isOfFileSystem(error, databaseUrl === undefined ? code : "")) {
    return `DATA_DIR: ${JSON.stringify(dataFolder)} cannot be written; expected a folder that can`;
  }
  if (databaseUrl === undefined) return whyNotEmbedded(String(error), dataFolder);
  const fault = databaseFaults.get(code) ?? (/^[A-Z0-9_]+$/.test(code) ? code : "no answer");
  return `DATABASE_URL: (secret, not shown) cannot be used (${fault}); expected a database that can`;
};

/** Explanations of the error codes of the system and of PostgreSQL. */
const databaseFaults = new Map([
  ["ECONNREFUSED", "nothing listens there, ECONNREFUSED"],
  ["ENOTFOUND", "no such host, ENOTFOUND"],
  ["28000", "this user may not connect, 28000"],
  ["28P01", "wrong user or password, 28P01"],
  ["3D000", "no such database, 3D000"],
  ["42501", "the user lacks rights, 42501"],
]);

/** Whether the message is one line for the console. */
function isExplained(error: unknown): error is Error {
  return [ConfigError, DatabaseError, SecretsError].some((kind) => error instanceof kind);
}

function whyNotEmbedded(error: string, dataFolder: string): string | null {
  const database = `DATA_DIR: the database in ${JSON.stringify(dataFolder)}`;
  if (/database is locked/.test(error)) return `${database} is in use by another process`;
  if (/disk is full|No space left|disk I\/O error/.test(error)) {
    return `${database} cannot be written: its disk is full or fails; expected room for it`;
  }
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

/** Explains why the server cannot listen. */
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
    return "TLS_KEY_FILE: does not match TLS_CERT_FILE, or one of them is damaged";
  }
  return null;
};

const ofTerminal = Deno.stdin.isTerminal();

/** Whether the process was started from a terminal that has been closed. */
export function terminalIsGone(): boolean {
  return ofTerminal && !Deno.stdin.isTerminal();
}
