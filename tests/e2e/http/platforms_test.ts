import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import manifest from "@/deno.json" with { type: "json" };
import { Cable } from "../../fixtures/cable.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada, moveInWithForms } from "../../fixtures/people.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** Everything but writing files. */
const permissions = ["--allow-net", "--allow-read", "--allow-env", "--allow-sys"];

/** After SIGINT the platform waits so long, in milliseconds, and then kills. */
const platformTimeoutMs = 5_000;

describe("a server on Deno Deploy", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  /** Starts what the platform starts, without the right to write a file. */
  function start(databaseUrl: string): Promise<Rollcall> {
    const environment = {
      DENO_DEPLOY: "true",
      APP_URL: "http://localhost",
      DATABASE_URL: databaseUrl,
      SINGLE_INSTANCE: "true",
    };
    const { entrypoint } = manifest.deploy.runtime;
    return Rollcall.start(environment, "/nowhere/at/all", entrypoint, permissions);
  }

  it("keeps everything in the database, generated secrets too, and writes no file", async () => {
    const databaseUrl = await postgres.createDatabase();
    const admin = new HttpVisitor("");
    {
      await using server = await start(databaseUrl);
      const first = new HttpVisitor(server.origin);
      await first.setUp(await server.setupToken(), ada);
      for (const [name, value] of first.cookies) admin.cookies.set(name, value);
    }
    await using server = await start(databaseUrl);
    const again = new HttpVisitor(server.origin);
    for (const [name, value] of admin.cookies) again.cookies.set(name, value);
    assert.equal((await again.get("/admin/online")).status, 200);
  });

  it("ends within five seconds of SIGINT, even when the database does not answer", async () => {
    const address = new URL(await postgres.createDatabase());
    await using cable = await Cable.to(`http://${address.host}`);
    address.host = new URL(cable.origin).host;
    await using server = await start(address.href);
    const visitor = new HttpVisitor(server.origin);
    await visitor.setUp(await server.setupToken(), ada);
    cable.stall();
    server.signal("SIGINT");
    const timer = setTimeout(() => server.signal("SIGKILL"), platformTimeoutMs);
    const { code, signal } = await server.ended();
    clearTimeout(timer);
    assert.deepEqual([code, signal], [0, null]);
  });
});

describe("a server with DATABASE_URL", () => {
  it("keeps users and sessions in PostgreSQL, over a restart without the data folder", async () => {
    const postgres = await startPostgres();
    try {
      const environment = {
        DATABASE_URL: await postgres.createDatabase(),
        APP_KEY: "k".repeat(32),
      };
      const before = await Rollcall.start(environment);
      const [admin] = await moveInWithForms(before);
      await before[Symbol.asyncDispose]();
      await using after = await Rollcall.start(environment);
      const visitor = new HttpVisitor(after.origin);
      for (const [name, value] of admin.cookies) visitor.cookies.set(name, value);
      assert.equal((await visitor.get("/admin/settings/team")).status, 200);
      assert.doesNotMatch(after.log, /setup\?token/);
    } finally {
      await postgres.stop();
    }
  });
});
