import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { audited, makeReceiver, makeRule, makeToken } from "../../fixtures/admin_forms.ts";
import { rollcall } from "../../fixtures/command_line.ts";
import { ask } from "../../fixtures/database_contents.ts";
import { EventFollower } from "../../fixtures/event_follower.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { describe } from "../../fixtures/long_run.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import {
  ada as adaAccount,
  ben,
  cleo,
  moveIn,
  moveInWithForms,
  userId,
} from "../../fixtures/people.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const nadia = { id: "member-4711", options: { name: "Nadia Quill", detail: "Quill & Sons" } };
const traces = /member-4711|quill/i;
const path = `/admin/people/${nadia.id}`;

describe("the data of a person", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let members: MemberSockets;
  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "0",
      LOG_LEVEL: "debug",
    });
    [ada] = await moveIn(server);
    members = new MemberSockets(server, app);
  });
  afterAll(async () => {
    await members[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const left = () =>
    until(async () => (await ada.get(path)).text.includes("Offline"), "the person had left");

  /** The admin log without what a search adds to it. */
  const actions = async () =>
    (await audited(ada)).filter((text) => !text.includes("Exported the activity log"));

  /** Where an admin, a program or the machine could find the person, and does. */
  async function found(): Promise<string[]> {
    const backup = join(server.dataFolder, "backup.sqlite");
    await rollcall(["backup", "--force", backup], { DATA_DIR: server.dataFolder });
    const texts = new Map<string, string>([["log", server.log]]);
    {
      using file = new DatabaseSync(backup, { readOnly: true });
      const tables = file.prepare(`select name from sqlite_master where type = 'table'`).all();
      for (const { name } of tables) {
        texts.set(`table ${name}`, JSON.stringify(file.prepare(`select * from "${name}"`).all()));
      }
    }
    for (const { name } of Deno.readDirSync(server.dataFolder)) {
      const bytes = await Deno.readFile(join(server.dataFolder, name));
      texts.set(name, new TextDecoder("latin1").decode(bytes));
    }
    for (
      const page of [
        "activity/admins",
        "activity",
        "activity/activity.csv",
        "online",
        "online/activity",
        "settings/team",
        "settings/alerts",
      ]
    ) {
      texts.set(page, (await ada.get(`/admin/${page}`)).text);
    }
    return [...texts].filter(([, text]) => traces.test(text)).map(([name]) => name);
  }

  it("is exported as JSON, and nothing of it is left after the person was forgotten", async () => {
    const { token } = await makeToken(ada);
    const follower = new EventFollower();
    const events = `${server.origin}/api/v1/online/events`;
    const authorization = `Bearer ${token}`;
    const ended = follower.read(await fetch(events, { headers: { authorization } }));
    await makeReceiver(ada);
    const rule = { kind: "person", userId: nadia.id, personName: nadia.options.name };
    const told = { holdSeconds: "0", change: "both", enabled: "on" };
    for (const name of ["Nadia Quill comes", "Quill & Sons is here"]) {
      await makeRule(ada, { ...rule, ...told, name });
    }
    await members.join({ ...nadia, page: { path: "/quill/cart", device: "phone" } });
    await until(() => follower.people.has(nadia.id));
    await until(() => {
      using file = new DatabaseSync(join(server.dataFolder, "rollcall.sqlite"), { readOnly: true });
      return file.prepare(`select * from "alertDelivery"`).all().length === 2;
    }, "the rules had told of the person");
    await ada.submit("/admin/messages", { text: "Nadia Quill, please log out" });
    await ada.submit(`${path}/disconnect`, {});
    await left();
    await ada.submit(`${path}/block`, { reason: "Quill spam" });

    const page = (await ada.get(path)).text;
    assert.match(page, />Export<[^]*>Forget</);
    const { headers, text } = await ada.submit(`${path}/export`, {});
    assert.equal(headers.get("content-disposition"), 'attachment; filename="person.json"');
    const { activity, auditLog, blocks, names } = JSON.parse(text);
    assert.deepEqual(activity.map(({ change }: { change: string }) => change), ["left", "joined"]);
    assert.deepEqual(names, [nadia.options.name]);
    assert.equal(blocks[0].reason, "Quill spam");
    assert.deepEqual(auditLog.map(({ action }: { action: string }) => action), [
      "member_removed",
      "person_blocked",
      "person_exported",
    ]);
    assert.deepEqual(
      (await actions())[0],
      "Ada Exported what is stored of a person Nadia Quill",
    );
    const places = await found();
    for (
      const place of [
        "backup.sqlite",
        "activity",
        "activity/activity.csv",
        "activity/admins",
        "settings/alerts",
        ...["alertDelivery", "alertRule", "attendance", "auditEntry", "blockedPerson"].map((name) =>
          `table ${name}`
        ),
      ]
    ) assert.ok(places.includes(place), `${place}, not only ${places}`);

    const question = await ada.submit(`${path}/forget`, { confirmed: "" });
    assert.match(question.text, /Forget Nadia Quill\?[^]*Their block ends\./);
    const { lastEventId = "" } = follower;
    const answer = await ada.submit(`${path}/forget`, {});
    assert.equal(answer.headers.get("location"), "/admin/activity/admins?action=person_forgotten");
    assert.deepEqual(await found(), []);
    assert.equal((await ada.get(path)).status, 404);
    assert.deepEqual((await actions()).slice(0, 5), [
      "Ada Forgot a person A removed person",
      "Ada Exported what is stored of a person A removed person",
      "Ada Blocked a person A removed person",
      "Ada Disconnected a person Open tabs 1 A removed person",
      "Ada Messaged everyone Text A removed person, please log out",
    ]);

    // A program that comes back is sent who is there, and not what happened.
    await follower.cut();
    await ended;
    const again = new EventFollower();
    const resumed = { authorization, "last-event-id": lastEventId };
    const rest = again.read(await fetch(events, { headers: resumed }));
    await until(() => again.snapshots === 1);
    assert.equal(again.events.some(({ data }) => data.id === nadia.id), false);
    await again.cut();
    await rest;
    await members.join(nadia);
    await members.leave(nadia.id);
  });

  it("is known as long as the person is online, which the page says", async () => {
    await members.join(nadia);
    assert.match((await ada.get(path)).text, /This person is online\. Disconnect them first/);
    const { headers } = await ada.submit(`${path}/forget`, {});
    assert.equal(headers.get("location"), `${path}?done=forgotten`);
    assert.match((await ada.get(`${path}?done=forgotten`)).text, /their leave will be recorded/);
    const { text } = await ada.submit(`${path}/export`, {});
    const { activity, online } = JSON.parse(text);
    assert.deepEqual([activity, online.name, online.detail], [[], "Nadia Quill", "Quill & Sons"]);
    await members.leave(nadia.id);
    await left();
    await ada.submit(`${path}/forget`, {});
    assert.deepEqual(await found(), []);
  });

  it("is kept of those with an account", async () => {
    const id = await userId(ada, ben);
    const { headers } = await ada.submit(`/admin/people/${id}/forget`, {});
    assert.equal(headers.get("location"), `/admin/people/${id}?problem=has_account`);
    const page = (await ada.get(`/admin/people/${id}?problem=has_account`)).text;
    assert.match(page, /To forget a person with an account, delete the account/);
    const { account } = JSON.parse((await ada.submit(`/admin/people/${id}/export`, {})).text);
    assert.deepEqual([account.email, account.isDisabled], [ben.email, false]);
    assert.doesNotMatch(JSON.stringify(account), /password|token|scrypt/i);
  });

  it("is exported and deleted by the command line", async () => {
    const run = (...words: string[]) =>
      rollcall(["person", ...words], { DATA_DIR: server.dataFolder });
    await members.join(nadia);
    await members.leave(nadia.id);
    await left();
    const exported = await run("export", nadia.id);
    assert.equal(exported.code, 0, exported.stderr);
    assert.equal(JSON.parse(exported.stdout).activity.length, 2);
    const elsewhere = await run("forget", nadia.id, "--app", "2");
    assert.match(elsewhere.stderr, /Nothing in .* is of a person with the ID "member-4711"/);
    const forgotten = await run("forget", nadia.id);
    assert.deepEqual([forgotten.code, forgotten.stderr], [0, ""]);
    assert.match(forgotten.stdout, /^Forgot a person in /);
    assert.deepEqual(await found(), []);
    assert.equal((await actions())[0], "Command line Forgot a person A removed person");
    const account = await run("forget", await userId(ada, ben));
    assert.match(account.stderr, /This person has an account: delete that on its page/);
  });
});

describe("an account that an admin deletes", () => {
  it("is signed out at once everywhere, and “A removed person” in the admin log; what it made stays", async () => {
    await using server = await Rollcall.start({ LOG_LEVEL: "debug", PUSHER_APP_KEY: app.key });
    const [ada] = await moveIn(server);
    const wanda = { name: "Wanda Birch", email: "wanda@example.com", password: ben.password };
    await ada.get("/admin/settings/team");
    await ada.submit("/admin/settings/team/invites", { email: wanda.email, role: "admin" });
    await ada.submit("/admin/settings/team", { ...wanda, role: "admin" });
    const id = await userId(ada, wanda);
    const visitor = new HttpVisitor(server.origin);
    await visitor.signIn(wanda);
    await visitor.get("/account");
    await visitor.submit("/account/name", { name: "Wanda Ash" });
    await makeToken(visitor, { name: "Shop" });
    await visitor.submit("/admin/messages", { text: "I am Wanda Birch" });
    await using tab = await AdmittedSocket.connect(server, app.key, visitor);
    await tab.join("presence-chart");
    const traces = new RegExp(`wanda|birch|${id}`, "i");

    const own = await ada.submit(
      `/admin/settings/team/${await userId(ada, adaAccount)}/delete`,
      {},
    );
    assert.match(own.headers.get("location") ?? "", /problem=yourself/);
    const question = await ada.submit(`/admin/settings/team/${id}/delete`, { confirmed: "" });
    assert.match(question.text, /Delete Wanda Ash\?/);
    const { headers } = await ada.submit(`/admin/settings/team/${id}/delete`, {});
    assert.equal(headers.get("location"), "/admin/settings/team?done=deleted");
    assert.equal(await tab.closeCode(), 4200);
    assert.equal((await visitor.get("/admin/activity/admins")).status, 303);
    assert.equal((await visitor.signIn(wanda)).status, 422);
    assert.match((await ada.get("/admin/settings/team?done=deleted")).text, /Deleted the user\./);

    const gone = "A removed person";
    assert.deepEqual((await audited(ada)).slice(0, 6), [
      `Ada Deleted a user Role Admin ${gone}`,
      `${gone} Messaged everyone`,
      `${gone} Created an API token Scope names Shop`,
      `${gone} Changed their name ${gone}`,
      `Ada Added a user Role Admin ${gone}`,
      `Ada Invited a person Role Admin ${gone}`,
    ]);
    assert.match((await ada.get("/admin/settings/api")).text, /Shop/);
    assert.equal((await ada.get(`/admin/people/${id}`)).status, 404);
    const files = [...Deno.readDirSync(server.dataFolder)].map(({ name }) => name);
    for (const name of files) {
      const bytes = await Deno.readFile(join(server.dataFolder, name));
      assert.equal(new TextDecoder("latin1").decode(bytes).match(traces), null, name);
    }
    assert.equal(server.log.match(traces), null);
  });
});

describe("an account that its owner deletes", () => {
  it("is gone at once everywhere once the password is right, and “A removed person” in the admin log", async () => {
    await using server = await Rollcall.start({ LOG_LEVEL: "debug", PUSHER_APP_KEY: app.key });
    const [ada] = await moveIn(server, "user");
    const wanda = { name: "Wanda Birch", email: "wanda@example.com", password: ben.password };
    await ada.get("/admin/settings/team");
    await ada.submit("/admin/settings/team", { ...wanda, role: "user" });
    const id = await userId(ada, wanda);
    const [visitor, elsewhere] = [1, 2].map(() => new HttpVisitor(server.origin));
    for (const each of [visitor, elsewhere]) await each.signIn(wanda);
    await using tab = await AdmittedSocket.connect(server, app.key, elsewhere);
    await tab.join("presence-chart");
    await visitor.get("/account");
    const path = "/account/delete";

    const question = await visitor.submit(path, { confirm: wanda.password, confirmed: "" });
    assert.match(question.text, /Delete your account\?/);
    const wrong = await visitor.submit(path, { confirm: "a wrong password" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /id="confirm-password"[^>]*aria-invalid[^]*not your current password/);
    assert.equal((await elsewhere.get("/account")).status, 200, "nothing has happened yet");
    assert.equal(tab.socket.readyState, WebSocket.OPEN);

    const { status, headers } = await visitor.submit(path, { confirm: wanda.password });
    assert.deepEqual([status, headers.get("location")], [303, "/sign-in?done=deleted"]);
    assert.match((await visitor.get("/sign-in?done=deleted")).text, /Your account is deleted\./);
    assert.equal(await tab.closeCode(), 4200);
    for (const each of [visitor, elsewhere]) {
      assert.equal((await each.get("/account")).status, 303);
    }
    assert.equal((await visitor.signIn(wanda)).status, 422);

    const gone = "A removed person";
    assert.deepEqual((await audited(ada)).slice(0, 2), [
      `${gone} Deleted their own account Role User ${gone}`,
      `Ada Added a user Role User ${gone}`,
    ]);
    const traces = new RegExp(`wanda|birch|${id}`, "i");
    for (const { name } of [...Deno.readDirSync(server.dataFolder)]) {
      const bytes = await Deno.readFile(join(server.dataFolder, name));
      assert.equal(new TextDecoder("latin1").decode(bytes).match(traces), null, name);
    }
    assert.equal(server.log.match(traces), null);
  });

  it("stays when it is the only admin's, or someone guesses the password", async () => {
    await using server = await Rollcall.start();
    const [ada, benVisitor] = await moveIn(server, "user");
    await ada.get("/account");
    const refused = await ada.submit("/account/delete", { confirm: adaAccount.password });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /can(?:'|&#39;)t delete the only admin/);
    assert.equal((await ada.get("/admin/settings/team")).status, 200);
    await benVisitor.get("/account");
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) {
      const { status } = await benVisitor.submit("/account/delete", { confirm: `guess ${guess}` });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(422), 429]);
    const late = await benVisitor.submit("/account/delete", { confirm: ben.password });
    assert.equal(late.status, 429, "also with the right one");
    assert.equal((await benVisitor.get("/account")).status, 200);
  });
});

describe("AUDIT_DAYS", () => {
  it("is for how long the admin log keeps its entries", async () => {
    await using before = await Rollcall.start();
    const [ada] = await moveIn(before);
    for (const text of ["Long ago", "Just now"]) await ada.submit("/admin/messages", { text });
    await before.stop();
    const file = new DatabaseSync(join(before.dataFolder, "rollcall.sqlite"));
    const dayMs = 24 * 60 * 60_000;
    file.exec(`update "auditEntry" set at = at - ${2 * dayMs} where details like '%Long ago%'`);
    file.close();
    await using server = await Rollcall.start({ AUDIT_DAYS: "1" }, before.dataFolder);
    const again = new HttpVisitor(server.origin);
    await again.signIn(adaAccount);
    await until(async () => !(await again.get("/admin/activity/admins")).text.includes("Long ago"));
    assert.match((await again.get("/admin/activity/admins")).text, /Just now/);
  });
});

describe.inLongRun("the data of a person of two servers", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => void await Promise.all([postgres.stop(), redis.stop()]));

  /** All that Redis has, as JSON. */
  const kept = async () => {
    const read = "local all = {} for _, key in ipairs(redis.call('KEYS', '*')) do " +
      "local kind = redis.call('TYPE', key).ok local read = " +
      "{ string = { 'GET', key }, hash = { 'HGETALL', key }, set = { 'SMEMBERS', key }, " +
      "zset = { 'ZRANGE', key, 0, -1 }, stream = { 'XRANGE', key, '-', '+' }, " +
      "list = { 'LRANGE', key, 0, -1 } } " +
      "all[key] = redis.call(unpack(read[kind])) end return cjson.encode(all)";
    return await redis.command("EVAL", read, "0");
  };

  /** The tables, and Redis, that have a person. */
  async function found(databaseUrl: string, traces: RegExp): Promise<string[]> {
    const texts = new Map([["Redis", await kept()]]);
    for (
      const { name } of await ask(databaseUrl, "select relname as name from pg_stat_user_tables")
    ) {
      texts.set(String(name), JSON.stringify(await ask(databaseUrl, `select * from "${name}"`)));
    }
    return [...texts].filter(([, text]) => traces.test(text)).map(([name]) => name);
  }

  it("is in no table, no key of Redis and no memory after one of them has forgotten the person", async () => {
    const databaseUrl = await postgres.createDatabase();
    const environment = {
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "0",
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.address,
    };
    await using here = await Rollcall.start(environment);
    await using there = await Rollcall.start(environment);
    const [ada, benVisitor, cleoVisitor] = await moveInWithForms(here, "user");
    const { token } = await makeToken(ada);
    const read = async (follower: EventFollower, lastEventId = "") =>
      follower.read(
        await fetch(`${there.origin}/api/v1/online/events`, {
          headers: { authorization: `Bearer ${token}`, "last-event-id": lastEventId },
        }),
      );
    const follower = new EventFollower();
    const ended = read(follower);
    await using members = new MemberSockets(there, app);
    await members.join(nadia);
    await until(() => follower.people.has(nadia.id), "the program knew the person");
    assert.match(await kept(), traces);
    await ada.submit(`${path}/block`, { reason: "Quill spam" });
    await until(() => !follower.people.has(nadia.id), "the person had left");
    const leave = `select 1 from attendance where change = 'left'`;
    await until(async () => (await ask(databaseUrl, leave)).length === 1, "the leave was stored");
    const { lastEventId } = follower;
    const { headers } = await ada.submit(`${path}/forget`, {});
    assert.equal(headers.get("location"), "/admin/activity/admins?action=person_forgotten");
    assert.deepEqual(await found(databaseUrl, traces), []);
    const again = new EventFollower();
    await follower.cut();
    await ended;
    const rest = read(again, lastEventId);
    await until(() => again.snapshots === 1, "the program began again with who is there");
    await again.cut();
    await rest;
    // The block has ended on the other server, too.
    await members.leave(nadia.id);
    await members.join(nadia);
    await until(async () => (await ada.get(path)).text.includes("Online"), "the person was back");
    for (const server of [here, there]) assert.equal(server.log.match(traces), null);

    // So it is with an account whose pages another server serves.
    const id = await userId(ada, ben);
    await using tab = await AdmittedSocket.connect(there, app.key, benVisitor);
    await tab.join("presence-chart");
    await ada.submit(`/admin/settings/team/${id}/delete`, {});
    assert.equal(await tab.closeCode(), 4200);
    const user = new RegExp(id);
    await until(async () => (await found(databaseUrl, user)).length === 0)
      .catch(async () => assert.deepEqual(await found(databaseUrl, user), []));

    // And with one that its owner deletes.
    const cleoId = await userId(ada, cleo);
    await using cleosTab = await AdmittedSocket.connect(there, app.key, cleoVisitor);
    await cleosTab.join("presence-chart");
    await cleoVisitor.get("/account");
    const deleted = await cleoVisitor.submit("/account/delete", { confirm: cleo.password });
    assert.equal(deleted.headers.get("location"), "/sign-in?done=deleted");
    assert.equal(await cleosTab.closeCode(), 4200);
    assert.equal((await cleoVisitor.signIn(cleo)).status, 422);
    await until(
      async () => (await found(databaseUrl, new RegExp(cleoId))).length === 0,
      "no table had the user who left",
    );
  });
});
