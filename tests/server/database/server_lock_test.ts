import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openDatabase } from "@/server/database/database.ts";
import { ServerLock } from "@/server/database/server_lock.ts";
import { AskedProcess } from "../../fixtures/asked_process.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const program = new URL("starting_process.ts", import.meta.url);
const timeoutMs = 180_000;

describe("the lock of the server on an embedded database", () => {
  let dataFolder: string;
  beforeEach(async () => {
    dataFolder = await Deno.makeTempDir();
  });
  afterEach(() => Deno.remove(dataFolder, { recursive: true }));

  it("belongs to one process until that ends or is killed", async () => {
    const starting = AskedProcess.start(program, [dataFolder]);
    const { process } = await withTimeout(starting, "a process had started", timeoutMs);
    await using _process = process;
    await withTimeout(process.ask("lock"), "it had the lock", timeoutMs);
    const holder = `process ${process.pid} on [\\w.-]+, since 20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z`;
    await assert.rejects(ServerLock.take(dataFolder), {
      name: "DatabaseInUse",
      message: new RegExp(`is in use by ${holder}; stop that first$`),
    });
    const waited: string[] = [];
    const taken = ServerLock.take(dataFolder, {
      timeoutMs,
      onWait: (holder) => {
        waited.push(holder);
        Deno.kill(process.pid, "SIGKILL");
      },
    });
    using _lock = await taken;
    assert.equal(waited.length, 1);
    assert.match(waited[0], new RegExp(`^${holder}$`));
    await assert.rejects(ServerLock.take(dataFolder), {
      message: new RegExp(`is in use by process ${Deno.pid} on `),
    });
  });

  it("is shared by the workers of the process that has it, and no other gets it before they have ended", async () => {
    const supervisor = await ServerLock.take(dataFolder);
    const workers = [
      await openDatabase({ dataFolder, server: { isShared: true } }),
      await openDatabase({ dataFolder, server: { isShared: true } }),
    ];
    await assert.rejects(ServerLock.take(dataFolder), /is in use by process/);
    supervisor[Symbol.dispose]();
    await workers[0].close();
    await assert.rejects(ServerLock.take(dataFolder), /is in use by/);
    const { promise: waits, resolve: onWait } = Promise.withResolvers<string>();
    const next = ServerLock.take(dataFolder, { timeoutMs, onWait });
    await withTimeout(waits, "it waits for the last worker", timeoutMs);
    await workers[1].close();
    using _lock = await next;
  });

  it("is released when the database is closed or could not be opened", async () => {
    await (await openDatabase({ dataFolder, server: {} })).close();
    const open = await openDatabase({ dataFolder, server: {} });
    await assert.rejects(openDatabase({ dataFolder, server: {} }), /is in use by process/);
    await open.queries.insertInto("migration")
      .values({ number: 1_000, name: "from the future", appliedAt: "" }).execute();
    await open.close();
    await assert.rejects(openDatabase({ dataFolder, server: {} }), /newer version/);
    using _lock = await ServerLock.take(dataFolder);
  });

  it("prevents only commands that would upgrade the database", async () => {
    const server = await openDatabase({ dataFolder, server: {} });
    await (await openDatabase({ dataFolder })).close();
    const last = await server.queries.selectFrom("migration").selectAll()
      .orderBy("number", "desc").executeTakeFirstOrThrow();
    await server.queries.deleteFrom("migration").where("number", "=", last.number).execute();
    await assert.rejects(openDatabase({ dataFolder }), /is in use by process/);
    await server.queries.insertInto("migration").values(last).execute();
    await server.close();
  });
});
