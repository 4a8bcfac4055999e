import assert from "node:assert/strict";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { inviteLink, resetLink } from "../../fixtures/admin_forms.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, cleo as cleoAccount, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const newPassword = "another good password";

describe("the links of accounts", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;

  beforeAll(async () => {
    const log = { LOG_LEVEL: "debug" };
    const app = { PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) };
    server = await Rollcall.start({ ...app, ...log });
    [ada, ben, cleo] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const stranger = () => new HttpVisitor(server.origin);

  it("an invitation makes an account, signs in, and works once", async () => {
    const path = await inviteLink(ada, { email: "dora@example.com" });
    const dora = stranger();
    const page = await dora.get(path);
    assert.equal(page.status, 200);
    assert.match(page.text, /value="dora@example\.com"/);
    const short = await dora.submit(path, { name: "Dora", password: "short" });
    assert.equal(short.status, 422);
    assert.match(short.text, /value="Dora"[^]*At least 10 characters/);
    const joined = await dora.submit(path, { name: "Dora", password: newPassword });
    assert.deepEqual([joined.status, joined.headers.get("location")], [303, "/"]);
    assert.match((await dora.get("/")).text, /Welcome, Dora/);
    assert.equal(
      (await dora.get("/admin/settings/team")).status,
      403,
      "with the role of the invitation",
    );
    const late = stranger();
    assert.equal((await late.get(path)).status, 404);
    assert.equal((await late.submit(path, { name: "Eve", password: newPassword })).status, 404);
    const doraId = await userId(ada, { email: "dora@example.com" });
    assert.match(
      (await ada.get(`/admin/activity/admins?target=${doraId}`)).text,
      /Accepted an invitation/,
    );
  });

  it("an invitation is shown once, listed until it is revoked, and recorded", async () => {
    const path = await inviteLink(ada, { email: "frank@example.com", role: "admin" });
    const { text } = await ada.get("/admin/settings/team");
    assert.match(text, /frank@example\.com/);
    assert(!text.includes(path), "the link is not shown again");
    const id = text.match(/\/admin\/settings\/team\/invites\/([0-9a-f]{32})\/revoke/)?.[1];
    await ada.submit(`/admin/settings/team/invites/${id}/revoke`, {});
    assert.equal((await stranger().get(path)).status, 404);
    const log = (await ada.get("/admin/activity/admins")).text;
    assert.match(
      log,
      /Revoked an invitation[^]*frank@[^]*Invited a person[^]*Role Admin[^]*frank@/,
    );
  });

  it("an invitation for an email in use is refused at the top, and keeps what was typed", async () => {
    await ada.get("/admin/settings/team");
    const fields = { email: "ben@example.com", role: "admin" };
    const { status, text } = await ada.submit("/admin/settings/team/invites", fields);
    assert.equal(status, 422);
    assert.match(text, /role="alert"[^>]*>No link was made: This email is already in use/);
    assert.match(text, /id="invite-email"[^>]*value="ben@example\.com"/);
    assert.match(text, /id="invite-email"[^>]*autofocus/);
  });

  it("a reset link sets a password, and signs the user out everywhere with their tabs", async () => {
    const id = await userId(ada, benAccount);
    const replaced = await resetLink(ada, id);
    const path = await resetLink(ada, id);
    await using socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    const visitor = stranger();
    assert.equal((await visitor.get(replaced)).status, 404);
    assert.equal((await visitor.get(path)).status, 200);
    assert.equal(socket.socket.readyState, WebSocket.OPEN, "opening the link does nothing");
    const done = await visitor.submit(path, { password: newPassword });
    assert.deepEqual([done.status, done.headers.get("location")], [303, "/"]);
    assert.equal(await socket.closeCode(), 4200);
    assert.equal((await ben.get("/account")).status, 303);
    assert.match((await visitor.get("/")).text, /Welcome, Ben/);
    assert.equal((await stranger().submit(path, { password: newPassword })).status, 419);
    assert.equal((await stranger().get(path)).status, 404);
    const log = (await ada.get(`/admin/activity/admins?target=${id}`)).text;
    assert.match(log, /Reset their password by a link[^]*Made a link to reset a password/);
  });

  it("a reset link can be revoked, and none is made for a disabled user", async () => {
    const id = await userId(ada, cleoAccount);
    const path = await resetLink(ada, id);
    assert.match((await ada.get(`/admin/settings/team/${id}`)).text, /The link works until/);
    await ada.submit(`/admin/settings/team/${id}/reset-link/revoke`, {});
    assert.equal((await stranger().get(path)).status, 404);
    await ada.submit(`/admin/settings/team/${id}/disable`, {});
    const refused = await ada.submit(`/admin/settings/team/${id}/reset-link`, {});
    assert.match((await ada.get(refused.headers.get("location") ?? "")).text, /Enable it first/);
    await ada.submit(`/admin/settings/team/${id}/enable`, {});
  });

  it("a link in a browser that is signed in says so and stays unused", async () => {
    await cleo.signIn(cleoAccount);
    const path = await inviteLink(ada, { email: "gina@example.com" });
    for (const visitor of [ada, cleo]) {
      await visitor.get("/");
      assert.match((await visitor.get(path)).text, /signed in as (Ada|Cleo)/);
      const { status } = await visitor.submit(path, { name: "Gina", password: newPassword });
      assert.equal(status, 409);
    }
    assert.equal((await stranger().get(path)).status, 200);
  });

  it("a token is in no log, in no Referer and not in the database", async () => {
    const paths = [
      await inviteLink(ada, { email: "hugo@example.com" }),
      await resetLink(ada, await userId(ada, benAccount)),
    ];
    for (const path of paths) {
      const visitor = stranger();
      const answers = [
        await visitor.get(path),
        await visitor.submit(path, { name: "Hugo", password: "short" }),
        await visitor.submit(path, { _token: "x", name: "Hugo", password: newPassword }),
        await visitor.get(`${path.slice(0, -4)}wxyz`),
        await visitor.submit(path, { name: "Hugo", password: newPassword }),
      ];
      assert.deepEqual(answers.map(({ status }) => status), [200, 422, 419, 404, 303]);
      for (const { headers } of answers) {
        assert.equal(headers.get("referrer-policy"), "strict-origin");
        assert.equal(headers.get("cache-control"), "no-store");
      }
      const token = path.split("/").at(-1) ?? "";
      assert.match(server.log, /A request was answered/, "the log has all that it can have");
      assert(!server.log.includes(token), "in the log");
      assert(!server.log.includes(token.slice(0, -4)), "a mistyped one in the log");
      for (const suffix of ["", "-wal"]) {
        const file = await Deno.readTextFile(join(server.dataFolder, `rollcall.sqlite${suffix}`))
          .catch(() => "");
        assert(!file.includes(token), "in the database");
      }
    }
  });

  it("wrong tokens of one client are refused with 429 and when to retry", async () => {
    const visitor = stranger();
    const statuses = new Set<number>();
    for (let i = 0; i < 25; i++) {
      const { status, headers } = await visitor.get(`/invite/${String(i).padStart(43, "x")}`);
      statuses.add(status);
      if (status === 429) assert(Number(headers.get("retry-after")) > 0);
    }
    assert.deepEqual([...statuses], [404, 429]);
  });
});

describe("an invitation of an admin who loses the role", () => {
  it("stops working", async () => {
    await using server = await Rollcall.start();
    const [ada, ben] = await moveIn(server, "admin");
    const path = await inviteLink(ben, { role: "admin" });
    await ada.submit(`/admin/settings/team/${await userId(ada, benAccount)}/role`, {
      role: "user",
    });
    assert.equal((await new HttpVisitor(server.origin).get(path)).status, 404);
  });
});
