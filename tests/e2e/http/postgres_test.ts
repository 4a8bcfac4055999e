import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveInWithForms } from "../../fixtures/people.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

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
      assert.equal((await visitor.get("/admin/users")).status, 200);
      assert.doesNotMatch(after.log, /setup\?token/);
    } finally {
      await postgres.stop();
    }
  });
});
