import { z } from "zod";

/** The most processes that one start makes. */
const maxWorkers = 64;

const form = "redis:// or rediss:// addresses, separated by commas, with at most user, password, " +
  "port, a database number and ?master=NAME";

/**
 * One address of Redis, or those of several Sentinels, as one text without spaces. A comma inside of a
 * password separates nothing.
 */
export const redisAddresses = z.string().transform((value) =>
  value.split(/\s*,\s*(?=[a-z]+:\/\/)/i)
)
  .refine((list) => list.every(isRedisAddress), form)
  .refine(
    (list) => new Set(list.map((address) => URL.parse(address)?.protocol)).size === 1,
    "addresses that all begin with redis:// or all with rediss://",
  )
  .transform((list) => list.join(","));

function isRedisAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^rediss?:$/.test(url.protocol) &&
    /^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(url.hostname) &&
    /^(\/(\d{1,5})?)?$/.test(url.pathname) &&
    /^(\?master=[\w.%-]+)?$/.test(url.search) && url.hash === "";
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
