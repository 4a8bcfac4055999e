import { openDatabase } from "@/server/database/database.ts";
import { migrations, upgrade } from "@/server/database/migrations.ts";
import { ServerLock } from "@/server/database/server_lock.ts";
import { handleRequests } from "../../fixtures/asked_process.ts";

// A process that opens a database as a server does at its start; controlled by the tests.

const [dataFolder, databaseUrl] = Deno.args;
const locks: ServerLock[] = [];

/** Opens and closes the database. @returns the error, or null. */
async function open(): Promise<string | null> {
  try {
    await (await openDatabase({ dataFolder, databaseUrl })).close();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Begins a migration that never ends. Resolves after its first write. */
async function stall(): Promise<void> {
  const database = await openDatabase({ dataFolder, databaseUrl });
  await new Promise<void>((written) => {
    const apply = async (queries: typeof database.queries) => {
      await queries.schema.createTable("half").addColumn("id", "integer").execute();
      await queries.deleteFrom("setting").execute();
      written();
      await new Promise(() => {});
    };
    upgrade(database, undefined, [...migrations, { name: "never ends", apply }]);
  });
}

await handleRequests(null, {
  open,
  stall,
  lock: async () => {
    locks.push(await ServerLock.take(dataFolder));
  },
});
