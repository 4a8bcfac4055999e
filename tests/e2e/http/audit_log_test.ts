import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveInWithForms, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the admin log", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let benId: string;
  const rows = async (query = "") => {
    const { text } = await ada.get(`/admin/activity/admins${query}`);
    const body =
      text.match(/<table class="table activity-table">[^]*<tbody>([^]*)<\/tbody>/)?.[1] ?? "";
    return [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) =>
      row.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim()
    );
  };

  beforeAll(async () => {
    server = await Rollcall.start();
    [ada, ben] = await moveInWithForms(server);
    benId = await userId(ada, benAccount);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("shows actions with admin, target and time, newest first", async () => {
    await ada.submit(`/admin/settings/team/${benId}/password`, { password: "a password of mine" });
    await ben.signIn({ ...benAccount, password: "a password of mine" });
    await ben.submit("/admin/messages", { text: "Here I am <b>again</b>" });
    const [message, password, cleo, added] = await rows();
    assert.match(message, /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d:\d\d UTC /);
    // The date once for a day, which may end meanwhile.
    const time = /^([A-Z][a-z]{2} \d{1,2}, \d{4}, )?\d\d:\d\d:\d\d UTC /;
    for (const row of [password, cleo, added]) assert.match(row, time);
    assert.match(
      message,
      /UTC Ben Messaged everyone Text Here I am &lt;b>again&lt;\/b>$/,
    );
    assert.match(password, /UTC Ada Reset a password Ben$/);
    assert.match(cleo, /UTC Ada Added a user Email cleo@example.com · Role Admin Cleo$/);
    assert.match(added, /UTC Ada Added a user Email ben@example.com · Role Admin Ben$/);
    assert.doesNotMatch((await ada.get("/admin/activity/admins")).text, /a password of mine/);
  });

  it("is filtered by admin, action and target", async () => {
    assert.deepEqual((await rows(`?actor=${benId}`)).length, 1);
    assert.deepEqual((await rows("?action=user_added")).length, 2);
    assert.deepEqual((await rows(`?target=${benId}&action=user_added`)).length, 1);
    assert.deepEqual(await rows("?actor=unknown"), []);
    assert.match(
      (await ada.get("/admin/activity/admins?actor=unknown")).text,
      /No matching entries/,
    );
    const all = (await rows()).length;
    for (
      const nonsense of ["?action=explode", "?before=%00", `?target=${"x".repeat(999)}`, "?a=b"]
    ) {
      assert.equal((await rows(nonsense)).length, all, nonsense);
    }
  });

  it("has no entry for refused actions, and one for every other", async () => {
    const before = (await rows()).length;
    await ada.submit(`/admin/settings/team/${benId}/role`, { role: "root" });
    await ada.submit("/admin/settings/team", {
      name: "X",
      email: "x",
      password: "y",
      role: "user",
    });
    assert.equal((await rows()).length, before);
    await ada.submit(`/admin/settings/team/${benId}/role`, { role: "user" });
    assert.match((await rows())[0], /Changed a role Admin → User Ben/);
    await ada.submit(`/admin/settings/team/${benId}/disable`, {});
    assert.match((await rows())[0], /Disabled a user Ben/);
    await ada.submit(`/admin/settings/team/${benId}/disable`, {});
    assert.match((await rows())[1], /Changed a role/, "nothing was done the second time");
    await ada.submit(`/admin/settings/team/${benId}/enable`, {});
    assert.match((await rows())[0], /Enabled a user Ben/);
    await ada.get("/admin/activity/activity.csv?who=ben");
    assert.match((await rows())[0], /Exported the activity log Person ben$/);
    const exports = (await rows()).length;
    const fromElsewhere = { "sec-fetch-site": "cross-site" };
    assert.equal((await ada.get("/admin/activity/activity.csv", fromElsewhere)).status, 403);
    assert.equal((await rows()).length, exports);
  });

  it("continues page by page", async () => {
    for (let count = 0; count < 50; count++) {
      await ada.submit(`/admin/settings/team/${benId}/${count % 2 ? "enable" : "disable"}`, {});
    }
    assert.equal((await rows()).length, 50);
    const { text } = await ada.get("/admin/activity/admins");
    const older = text.match(/href="([^"]*before=[^"]*)"/)?.[1].replaceAll("&amp;", "&") ?? "";
    const next = await rows(older.slice(older.indexOf("?")));
    assert.match(next.at(-1) ?? "", /Added a user Email ben/);
    assert.match((await ada.get(older)).text, />Newest</);
  });

  it("is for admins only", async () => {
    await ben.signIn({ ...benAccount, password: "a password of mine" });
    assert.equal((await ben.get("/admin/activity/admins")).status, 403);
  });
});

describe("an action whose audit entry cannot be stored", () => {
  it("is not done, and fails with 500", async () => {
    const key = "a-key-of-the-tests";
    await using server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
    });
    const [ada, ben] = await moveInWithForms(server, "user");
    const benId = await userId(ada, benAccount);
    await using tab = await AdmittedSocket.connect(server, key, ben);
    await tab.join("presence-chart");
    await tab.join(`private-rollcall.users.${benId}`);
    const app = JSON.parse((await ada.get("/admin/channels/list")).text).apps[0].id;
    const channel = { app, name: "presence-chart" };
    const orders = new URLSearchParams({ app, name: "orders" });
    await ada.get(`/admin/channels/channel?${orders}&record=yes`);
    await ada.submit("/admin/channels/channel", {
      app,
      name: "orders",
      event: "paid",
      data: "17.50",
    });
    const { inspection } = JSON.parse((await ada.get(`/admin/channels/events?${orders}`)).text);
    const event = { app, name: "orders", inspection, number: "1" };
    assert.match((await ada.submit("/admin/channels/data", event)).text, /17\.50/);
    const file = new DatabaseSync(join(server.dataFolder, "rollcall.sqlite"), { timeout: 60_000 });
    file.exec('alter table "auditEntry" rename to "gone"');
    file.close();

    const before = (await ada.get("/admin/settings/team")).text.match(/<table[^]*<\/table>/)?.[0];
    const dora = { ...benAccount, name: "Dora", email: "dora@example.com", role: "user" };
    for (
      const [path, fields] of [
        [`/admin/people/${benId}/disconnect`, {}],
        [`/admin/people/${benId}/block`, {}],
        [`/admin/people/${benId}/message`, { text: "Hello" }],
        ["/admin/messages", { text: "Hello" }],
        [`/admin/settings/team/${benId}/role`, { role: "admin" }],
        [`/admin/settings/team/${benId}/password`, { password: "another password" }],
        [`/admin/settings/team/${benId}/disable`, {}],
        ["/admin/settings/team", dora],
        ["/admin/channels/channel", { ...channel, event: "paid", data: "{}" }],
        ["/admin/channels/data", event],
        ["/admin/settings/team/invites", dora],
        [`/admin/settings/team/${benId}/reset-link`, {}],
        ["/account/name", { name: "Ada Lovelace" }],
      ] as [string, Record<string, string>][]
    ) {
      const { status, text } = await ada.submit(path, fields);
      assert.equal(status, 500, path);
      assert.ok(!text.includes("17.50"), path);
    }
    assert.equal((await ada.get("/admin/activity/activity.csv")).status, 500);
    const after = (await ada.get("/admin/settings/team")).text.match(/<table[^]*<\/table>/)?.[0];
    assert.equal(after?.replaceAll(/value="[^"]*"/g, ""), before?.replaceAll(/value="[^"]*"/g, ""));
    assert.equal((await ben.get("/")).status, 200, "the session goes on");
    assert.equal(tab.socket.readyState, WebSocket.OPEN);
    assert.deepEqual(tab.frames, []);
  });
});
