import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { ada } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { serveCommand } from "../../fixtures/program.ts";

const app = { key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const token = "a-token-of-the-tests";

/** Lets the server write files, or makes each write fail as one to a broken disk does. */
async function setWritable(server: Rollcall, isWritable: boolean): Promise<void> {
  const args = [`--fsize=${isWritable ? "unlimited" : "0"}:unlimited`, "--pid", `${server.pid}`];
  const { success } = await new Deno.Command("prlimit", { args }).output();
  assert.ok(success);
}

describe("a server whose disk takes no more data", () => {
  it("keeps the count right, reports the fault to everyone, and stores what it could not", async () => {
    const command = ["sh", "-c", 'trap "" XFSZ; exec "$0" "$@"', ...serveCommand];
    await using server = await Rollcall.startCommand(command, {
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      METRICS_TOKEN: token,
      DRAIN_MS: "0",
    });
    const admin = new HttpVisitor(server.origin);
    await admin.setUp(await server.setupToken(), ada);
    const up = async () => (await admin.get("/up")).text;

    await setWritable(server, false);
    await using _member = await AdmittedSocket.joinAs(server, app, "shop-17");
    await server.printed(/ERROR server: The database cannot be written .*reason="its disk fails"/);
    assert.equal(await up(), "up, but the database cannot be written: its disk fails\n");
    const metrics = await ReadMetrics.of(server.origin, token);
    assert.equal(metrics.value("rollcall_database_up"), 0);

    const visitor = new HttpVisitor(server.origin);
    const signedIn = await visitor.signIn(ada);
    assert.equal(signedIn.status, 503);
    assert.equal(signedIn.headers.get("retry-after"), "5");
    assert.match(signedIn.text, /<h1[^>]*>Temporarily unavailable/);
    const live = (await admin.get("/admin/online")).text;
    assert.match(live, /The database cannot be written: its disk fails\./);
    assert.match(live, /shop-17/);

    await setWritable(server, true);
    await server.printed(/The database works again/);
    assert.equal(await up(), "up\n");
    assert.equal((await visitor.signIn(ada)).status, 303);
    assert.match((await admin.get("/admin/activity")).text, /shop-17/);
    assert.doesNotMatch((await admin.get("/admin/online")).text, /cannot be written/);
    assert.doesNotMatch(server.log, /cannot rollback|^ {4}at /m);
  });
});
