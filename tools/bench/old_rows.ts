import process from "node:process";
import { sql } from "kysely";
import { type Database, openDatabase } from "@/server/database/database.ts";
import { LogExpiry } from "@/server/database/log_expiry.ts";
import { ActivityLog } from "@/server/activity/activity_log.ts";
import { comparison } from "./measurement.ts";

/** `OLD_ROWS=1000000 deno task bench 1 "old rows"` deletes a million. */
const rows = Number(Deno.env.get("OLD_ROWS") ?? "100000");

/** How long the embedded database stops the server when old activity is deleted, beside one statement for all. */
export const oldRows = comparison({
  name: `${rows.toLocaleString("en")} old rows that are deleted`,
  figures: { block: { name: "longest block of the event loop", unit: "ms", aim: 0.2 } },
  async compare() {
    const beside = { block: await longestBlock(deleteAtOnce) };
    return { beside, measured: { block: await longestBlock(deleteInBatches) } };
  },
});

async function deleteAtOnce({ queries }: Database): Promise<void> {
  await queries.deleteFrom("attendance").where("at", "<", Date.now()).execute();
}

async function deleteInBatches(database: Database): Promise<void> {
  const failure = Promise.withResolvers<never>();
  const done = Promise.withResolvers<void>();
  const log = new ActivityLog(database);
  const forgetSome = log.forgetSome.bind(log);
  log.forgetSome = async (olderThan) => {
    const isDone = await forgetSome(olderThan);
    if (isDone) done.resolve();
    return isDone;
  };
  const expiry = new LogExpiry(log, 1, failure.reject);
  await Promise.race([done.promise, failure.promise]);
  await expiry.stop();
}

/** Of a turn, CPU time says what other work on the machine does not change. */
function moment(): { at: number; cpuMs: number } {
  const { system, user } = process.cpuUsage();
  return { at: performance.now(), cpuMs: (system + user) / 1_000 };
}

/** The longest tick of the event loop while old activity is deleted, in milliseconds. */
async function longestBlock(deleteOld: (database: Database) => Promise<void>): Promise<number> {
  const dataFolder = await Deno.makeTempDir();
  const database = await openDatabase({ dataFolder });
  try {
    await fill(database);
    let [last, longest] = [moment(), 0];
    const turn = () => {
      const now = moment();
      longest = Math.max(longest, Math.min(now.at - last.at, now.cpuMs - last.cpuMs));
      last = now;
    };
    const timer = setInterval(turn, 1);
    await deleteOld(database);
    turn();
    clearInterval(timer);
    return longest;
  } finally {
    await database.close();
    await Deno.remove(dataFolder, { recursive: true });
  }
}

/** Adds activity of 1970. */
async function fill({ queries }: Database): Promise<void> {
  await sql`insert into attendance (channel, at, "userId", kind, change)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})
    select 'presence-chart', n, 'guest-' || (n % 20000), 'guest', 'joined' from numbers`
    .execute(queries);
}
