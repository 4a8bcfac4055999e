import { z } from "zod";

/** The most processes that one start makes. */
const maxWorkers = 64;

const form = "redis:// or rediss:// addresses, separated by commas, with at most user, password, " +
  "port, a database number and ?name=MASTER";

/**
 * One address of Redis, or those of several Sentinels, as one text without spaces. A comma inside of a
 * password separates nothing.
 */
export const redisAddresses = z.string().transform((value) =>
  value.split(/\s*,\s*(?=[a-z]+:\/\/)/i)
)
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
      const given = urls.map((url) => url[part]).filter((text) => text !== "" && text !== "/");
      return new Set(given).size <= 1;
    });
}

/** A number of processes; `auto` depends on the machine, and is resolved when all is valid. */
export const workerCount = z.string().toLowerCase()
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
