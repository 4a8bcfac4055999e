import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada, ben, moveIn, moveInWithForms } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { versionText } from "@/server/observability/commit.ts";

describe("the first run", () => {
  it("prints a link that creates the first admin, once", async () => {
    await using server = await Rollcall.start();
    const token = await server.setupToken();
    const first = new HttpVisitor(server.origin);
    const second = new HttpVisitor(server.origin);
    const signIn = async () => (await second.get("/sign-in")).text;
    assert.match(await signIn(), /There is no admin yet\. Open the link/);
    assert.equal((await first.get(`/setup?token=${token}`)).status, 200);
    assert.equal((await second.get(`/setup?token=${token}`)).status, 200);
    assert.equal((await first.submit("/setup", { token, ...ada })).status, 303);
    assert.doesNotMatch(await signIn(), /There is no admin/);
    assert.equal((await second.submit("/setup", { token, ...ben })).status, 403);
    assert.equal((await second.get(`/setup?token=${token}`)).status, 403);
    assert.equal((await second.signIn(ben)).status, 422);
    await first.signIn(ada);
    assert.equal((await first.get("/admin/online")).status, 200);
  });

  it("shows the version and its commit to admins only", async () => {
    await using server = await Rollcall.start();
    const [admin, user] = await moveIn(server, "user");
    const versionShown = async (visitor: HttpVisitor) =>
      (await visitor.get("/")).text.includes(`Rollcall ${versionText}`);
    assert.equal(await versionShown(admin), true);
    assert.equal(await versionShown(user), false);
    assert.equal(await versionShown(new HttpVisitor(server.origin)), false);
  });

  it("has no default password, and no access without the setup link", async () => {
    await using server = await Rollcall.start();
    const visitor = new HttpVisitor(server.origin);
    for (const token of ["", "x", "undefined", "null"]) {
      assert.equal((await visitor.get(`/setup?token=${token}`)).status, 403);
    }
    await visitor.get("/sign-in");
    assert.equal((await visitor.submit("/setup", { token: "x", ...ada })).status, 403);
    assert.equal((await visitor.signIn({ email: "admin", password: "admin" })).status, 422);
  });

  it("generates secrets in files that only their owner can read", async () => {
    await using one = await Rollcall.start();
    await using other = await Rollcall.start();
    const [first, second] = [one, other].map(({ dataFolder }) => `${dataFolder}/secrets.json`);
    assert.equal((await Deno.stat(first)).mode! & 0o777, 0o600);
    assert.notEqual(await Deno.readTextFile(first), await Deno.readTextFile(second));
    const secrets = Object.values(JSON.parse(await Deno.readTextFile(first))).map(String)
      .filter((value) => value.length > 20);
    assert.ok(secrets.length >= 2, `${secrets.length} secrets`);
    for (const secret of secrets) {
      assert.ok(!one.log.includes(secret), "no secret is printed");
    }
  });

  it("prints no link once an admin exists, and keeps sessions over a restart", async () => {
    const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const before = await Rollcall.start({}, dataFolder);
    const [admin] = await moveInWithForms(before);
    await before.stop();
    await using after = await Rollcall.start({}, dataFolder);
    const visitor = new HttpVisitor(after.origin);
    for (const [name, value] of admin.cookies) visitor.cookies.set(name, value);
    assert.equal((await visitor.get("/admin/online")).status, 200);
    assert.doesNotMatch(after.log, /setup\?token/);
  });

  it("fails with one line for each invalid setting", async () => {
    const started = Rollcall.start({ ADMIT_GUESTS: "maybe", PRESENCE_GRACE_MS: "soon" });
    await assert.rejects(started, (error: Error) => {
      const lines = error.message.trim().split("\n").slice(1);
      assert.equal(lines.length, 2);
      assert.match(lines.join("\n"), /ADMIT_GUESTS: "maybe"[^]*PRESENCE_GRACE_MS: "soon"/);
      return true;
    });
  });
});
