import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada, ben, cleo, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("access to pages", () => {
  let server: Rollcall;
  let admin: HttpVisitor;
  let user: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start();
    [admin, user] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const path of ["/admin/online", "/admin/settings/team"]) {
    it(`${path} redirects to sign-in and back without a session, and is 403 for other users`, async () => {
      assert.equal((await admin.get(path)).status, 200);
      assert.equal((await user.get(path)).status, 403);
      const { status, headers } = await new HttpVisitor(server.origin).get(path);
      assert.equal(status, 303);
      assert.equal(headers.get("location"), `/sign-in?return=${encodeURIComponent(path)}`);
    });
  }

  it("actions on users are for admins only, with the CSRF token", async () => {
    const fields = { name: "X", email: "x@example.com", password: "0123456789ab", role: "admin" };
    assert.equal((await user.submit("/admin/settings/team", fields)).status, 403);
    assert.equal(
      (await admin.submit("/admin/settings/team", { ...fields, _token: "" })).status,
      419,
    );
    assert.equal(
      (await admin.submit("/admin/settings/team", { ...fields, _token: "x" })).status,
      419,
    );
    assert.doesNotMatch((await admin.get("/admin/settings/team")).text, /x@example\.com/);
  });

  it("sign-in redirects to paths of this site only", async () => {
    for (
      const to of [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "/.//evil.example",
        "/a/..\\/evil.example",
        "javascript:1",
      ]
    ) {
      const visitor = new HttpVisitor(server.origin);
      await visitor.get("/sign-in");
      const { status, headers } = await visitor.submit("/sign-in", { ...ben, return: to });
      assert.equal(status, 303);
      assert.equal(headers.get("location"), "/", to);
    }
  });

  it("signing out ends the session, with the CSRF token only", async () => {
    const visitor = new HttpVisitor(server.origin);
    await visitor.signIn(cleo);
    const kept = new Map(visitor.cookies);
    assert.equal((await visitor.submit("/sign-out", { _token: "" })).status, 419);
    assert.equal((await visitor.get("/")).status, 200);
    await visitor.submit("/sign-out", {});
    assert.equal((await visitor.get("/")).status, 303);
    for (const [name, value] of kept) visitor.cookies.set(name, value);
    assert.equal((await visitor.get("/")).status, 303, "the old cookie is worth nothing");
  });

  it("refusals name the field, and keep the only admin", async () => {
    await admin.get("/admin/settings/team");
    const others = await admin.get("/admin/settings/team");
    for (const match of others.text.matchAll(/\/admin\/settings\/team\/([0-9a-f]+)"/g)) {
      if (match[1] !== await userId(admin, ada.email)) {
        await admin.submit(`/admin/settings/team/${match[1]}/role`, { role: "user" });
      }
    }
    const own = await userId(admin, ada.email);
    const { headers } = await admin.submit(`/admin/settings/team/${own}/role`, { role: "user" });
    assert.match((await admin.get(headers.get("location") ?? "")).text, /remove the only admin/);
    const weak = { name: "E", email: "e@example.com", password: "short", role: "user" };
    const refused = await admin.submit("/admin/settings/team", weak);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /At least 10 characters/);
    assert.equal((await admin.submit(`/admin/settings/team/${own}/explode`, {})).status, 404);
    assert.equal(
      (await admin.submit("/admin/settings/team/%00/role", { role: "user" })).status,
      404,
    );
    for (const [field, value] of [["role", "root"], ["name", "nul\0"], ["name", "\u200b\u202e"]]) {
      const fields = { name: "F", email: "f@example.com", password: "long enough", role: "user" };
      assert.equal(
        (await admin.submit("/admin/settings/team", { ...fields, [field]: value })).status,
        422,
      );
    }
  });

  it("names with markup are escaped", async () => {
    const name = "<script>alert(1)</script>";
    const fields = { name, email: "markup@example.com", password: "0123456789", role: "user" };
    await admin.submit("/admin/settings/team", fields);
    const { text } = await admin.get("/admin/settings/team");
    assert.ok(!text.includes(name));
    assert.ok(text.includes("&lt;script"));
  });
});

describe("managing users", () => {
  it("an admin adds a user, changes the role, resets the password, disables and enables", async () => {
    await using server = await Rollcall.start();
    const [admin] = await moveIn(server);
    const fields = { name: "Dora", email: "dora@example.com", password: "first password" };
    await admin.submit("/admin/settings/team", { ...fields, role: "user" });
    const dora = new HttpVisitor(server.origin);
    await dora.signIn(fields);
    assert.equal((await dora.get("/admin/online")).status, 403);
    const id = await userId(admin, fields.email);

    await admin.submit(`/admin/settings/team/${id}/role`, { role: "admin" });
    assert.equal((await dora.get("/admin/online")).status, 200);

    await admin.submit(`/admin/settings/team/${id}/password`, { password: "second password" });
    assert.equal((await dora.get("/")).status, 303);
    assert.equal((await dora.signIn(fields)).status, 422);
    assert.equal((await dora.signIn({ ...fields, password: "second password" })).status, 303);

    await admin.submit(`/admin/settings/team/${id}/disable`, {});
    assert.equal((await dora.get("/")).status, 303);
    const attempt = await dora.signIn({ ...fields, password: "second password" });
    assert.match(attempt.text, /disabled/);

    await admin.submit(`/admin/settings/team/${id}/enable`, {});
    assert.equal((await dora.signIn({ ...fields, password: "second password" })).status, 303);
  });
});

async function userId(admin: HttpVisitor, email: string): Promise<string> {
  const { text } = await admin.get("/admin/settings/team");
  const match = text.slice(text.indexOf(email)).match(/\/admin\/settings\/team\/([0-9a-f]+)"/);
  assert.ok(match, `${email} is in the list`);
  return match[1];
}
