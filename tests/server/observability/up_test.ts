import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Cable } from "../../fixtures/cable.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { Client } from "../../realtime/harness.ts";

const key = "a-key-of-the-tests";

async function up(server: Rollcall, method = "GET"): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.origin}/up`, { method });
  assert.equal(response.headers.get("set-cookie"), null);
  assert.equal(response.headers.get("cache-control"), "no-store");
  return { status: response.status, text: await response.text() };
}

describe("/up", () => {
  it("answers 200 while the server runs and 503 while it stops", async () => {
    const secrets = { PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "a-secret-of-the-tests-alone" };
    await using server = await Rollcall.start({ ...secrets, DRAIN_MS: "60000" });
    assert.deepEqual(await up(server), { status: 200, text: "up\n" });
    assert.deepEqual(await up(server, "HEAD"), { status: 200, text: "" });

    const { host } = new URL(server.origin);
    const clients = [1, 2].map(() =>
      new Client(new WebSocket(`ws://${host}/app/${key}?protocol=7`))
    );
    await Promise.all(clients.map((client) => client.next("pusher:connection_established")));
    server.signal("SIGTERM");
    await server.printed(/Stopping connections=2/);
    assert.deepEqual(await up(server), { status: 503, text: "draining\n" });
    assert.deepEqual(await up(server, "HEAD"), { status: 503, text: "" });
    for (const client of clients) client.close();
    await Promise.all(clients.map((client) => client.closed));
    assert.equal((await server.ended()).code, 0);
  });

  it("answers 503 while the database is unreachable, and so do pages, with a request id", async () => {
    const postgres = await startPostgres();
    try {
      const address = new URL(await postgres.createDatabase());
      await using cable = await Cable.to(`http://${address.host}`);
      const { host } = new URL(cable.origin);
      address.host = host;
      await using server = await Rollcall.start({ DATABASE_URL: address.href, LOG_FORMAT: "json" });
      // The start needs no database after this line.
      await server.setupToken();
      assert.deepEqual(await up(server), { status: 200, text: "up\n" });
      cable.cut();
      assert.deepEqual(await up(server), { status: 503, text: "no database\n" });

      const requestId = "request-while-the-database-is-gone";
      const headers = { "x-request-id": requestId, accept: "text/html" };
      const page = await fetch(`${server.origin}/sign-in`, { headers });
      assert.equal(page.status, 503);
      assert.equal(page.headers.get("retry-after"), "5");
      assert.equal(page.headers.get("x-request-id"), requestId);
      assert.match(await page.text(), new RegExp(`Request ID: ${requestId}`));
      const [line] = await server.printed(/^.*A request failed.*$/m);
      const { requestId: logged, level, error } = JSON.parse(line);
      assert.deepEqual([logged, level, error], [requestId, "warn", undefined]);

      cable.mend();
      assert.deepEqual(await up(server), { status: 200, text: "up\n" });
      await server.printed(/The database works again/);
      const outage = server.log.split("\n").filter((line) => /"level":"(warn|error)"/.test(line))
        .map((line) => JSON.parse(line).message)
        .filter((message) => !/MAX_CONNECTIONS|shims|A request failed/.test(message));
      assert.deepEqual(outage, ["The database is unavailable", "The database works again"]);
      assert.ok(!server.log.includes(address.password));
    } finally {
      await postgres.stop();
    }
  });
});
