import { z } from "zod";
import type { Setting } from "./setting.ts";
import { externalServer, type ExternalServerSettings } from "./compatibility.ts";

/** The most processes that one start makes. */
const maxWorkers = 64;

const form = "redis:// or rediss:// addresses, separated by commas, with at most user, password, " +
  "port, a database number and ?name=MASTER";

/**
 * One address of Redis, or the addresses of several Sentinels, as one text without spaces. A comma inside of a
 * password separates nothing.
 */
const redisAddresses = z.string().transform((value) => value.split(/\s*,\s*(?=[a-z]+:\/\/)/i))
  .refine((list) => list.every(isRedisAddress), form)
  .refine(
    (list) => !list.every(isRedisAddress) || agree(list.map((text) => new URL(text))),
    "redis:// or rediss:// addresses with one scheme, user, password, database number and name",
  )
  .transform((list) => list.join(","));

function isRedisAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^rediss?:$/.test(url.protocol) &&
    /^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(url.hostname) &&
    [url.username, url.password].every(isEncoded) &&
    /^(\/(\d{1,5})?)?$/.test(url.pathname) &&
    /^(\?name=[\w.-]+)?$/.test(url.search) && url.hash === "";
}

/** Whether each % begins the code of a character. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether addresses lead to one database: an address may leave out what another one has. */
function agree(urls: URL[]): boolean {
  const parts = ["username", "password", "pathname", "search"] as const;
  return new Set(urls.map(({ protocol }) => protocol)).size === 1 &&
    parts.every((part) => {
      const values = urls.map((url) => url[part]).filter((text) => text !== "" && text !== "/");
      return new Set(values).size <= 1;
    });
}

/** A number of processes; `auto` depends on the machine, and is resolved when all is valid. */
const workerCount = z.string().toLowerCase()
  .refine(isWorkerCount, `auto, or a whole number from 1 to ${maxWorkers}`)
  .transform((value) => value === "auto" ? value : Number(value));

function isWorkerCount(value: string): boolean {
  return value === "auto" ||
    /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= maxWorkers;
}

/** @returns how many processes a setting means on a machine with as many cores. */
export function workersOn(cores: number, setting: number | "auto"): number {
  return setting === "auto" ? Math.min(Math.max(cores, 1), maxWorkers) : setting;
}

/** How several servers, and several processes of one, work as one installation. */
export const clusterSettings = {
  REDIS_URL: {
    group: "Several servers",
    schema: redisAddresses.optional(),
    secret: true,
    example: "redis://rollcall:password@localhost:6379/0",
    about: "Redis or Valkey, through which several servers with one `DATABASE_URL` share who is " +
      "online: `redis://USER:PASSWORD@HOST:PORT/NUMBER`, or `rediss://` with TLS. For " +
      "Sentinel, give the addresses of the Sentinels, separated by commas, and add `?name=MASTER`, " +
      "the name of the master (default: `mymaster`), to one of them; user, password and number are " +
      "Redis's own, and are given once. " +
      "See [Several servers](cluster.md).",
  },
  REDIS_PREFIX: {
    group: "Several servers",
    schema: z.string().regex(/^[\w:.-]{1,64}$/, "1 to 64 letters, digits or .:_-")
      .default("rollcall:"),
    about: "What the names of all keys and topics in Redis begin with. Servers with the same " +
      "prefix are one installation; another program or installation in the same Redis needs " +
      "another one.",
  },
  WORKERS: {
    group: "Several servers",
    schema: workerCount.default(1),
    about: "How many processes of this machine serve the port; `auto` is one per core. Several " +
      "need Linux. They share the embedded database; to use PostgreSQL or other machines too, set " +
      "both `DATABASE_URL` and `REDIS_URL`: [All cores](workers.md). Limits such as " +
      "`MAX_CONNECTIONS` apply to each process.",
  },
} satisfies Record<string, Setting>;

/** The settings that several servers, or several processes, depend on. */
interface Settings extends ExternalServerSettings {
  DATABASE_URL?: string;
  REDIS_URL?: string;
  WORKERS: number | "auto";
}

/** One line for each setting with which several servers or processes cannot work as one. */
export function clusterProblems(settings: Settings, os: string = Deno.build.os): string[] {
  return [...redisProblems(settings), ...workerProblems(settings, os)];
}

function redisProblems(settings: Settings): string[] {
  if (settings.REDIS_URL === undefined) return [];
  const { host, cluster } = externalServer(settings);
  const problems: string[] = [];
  if (settings.DATABASE_URL === undefined) {
    problems.push(
      "DATABASE_URL: not given, but REDIS_URL is; expected the postgres:// address of the database " +
        "that all servers share",
    );
  }
  if (host ?? cluster) {
    problems.push("REDIS_URL: given, but the external server counts; expected none");
  }
  return problems;
}

function workerProblems(settings: Settings, os: string): string[] {
  const { REDIS_URL, DATABASE_URL, PORT, WORKERS } = settings;
  if (WORKERS === 1) return [];
  const problems: string[] = [];
  const problem = `WORKERS: "${WORKERS}" is not allowed`;
  if (REDIS_URL === undefined && DATABASE_URL !== undefined) {
    problems.push(
      `${problem} with DATABASE_URL and without REDIS_URL; expected 1, both settings or none of them`,
    );
  }
  const { host, cluster } = externalServer(settings);
  if (REDIS_URL === undefined && (host ?? cluster)) {
    problems.push(`${problem} as the external server counts; expected 1`);
  }
  // Elsewhere the system gives all connections of a shared port to one process.
  if (os !== "linux") problems.push(`${problem} on this system; expected 1, or Linux`);
  if (PORT === 0) {
    problems.push(
      'PORT: "0" is not allowed with several WORKERS, which serve one port; expected its number',
    );
  }
  return problems;
}
