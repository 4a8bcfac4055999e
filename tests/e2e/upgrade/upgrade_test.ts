import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import type { HistoryReport } from "@/shared/history.ts";
import { requestText, signRequest, signWebhook } from "@/realtime/protocol/signature.ts";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { environmentAt } from "../../fixtures/another_hour.ts";
import { audited, revealed } from "../../fixtures/admin_forms.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { describeOnEachDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { ada, ben, cleo } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { type Marks, marksOf, ownApp, restoreReleased, settings } from "./released_data.ts";

const dora = { ...ben, email: "dora@example.com" };

/** What is done to the data of 0.1.0 by this release, and what people find afterwards. */
describeOnEachDatabase("data of release 0.1.0", (store) => {
  it("keeps each row, with alerts as rules and their webhooks as receivers", async () => {
    await restoreReleased(store);
    const before = await rowsOf(store);
    assert.deepEqual([...before.keys()].sort(), tables(store));
    await store.open();
    const after = await rowsOf(store, before);
    for (const [table, rows] of before) {
      const moved = table === "setting" ? rows.filter(({ name }) => /^alert/.test(`${name}`)) : [];
      const kept = rows.filter((row) => !moved.includes(row));
      if (table === "migration") after.get(table)!.splice(rows.length);
      assert.deepEqual(after.get(table)?.map(text).sort(), kept.map(text).sort(), table);
    }
    const rules = await store.query(
      `select "channel", "state" from "alertRule" order by "channel"`,
    );
    const stated = rules.map(({ channel, state }) => ({ channel, ...JSON.parse(`${state}`) }));
    assert.deepEqual(
      stated.map(({ channel, setting }) => [channel, setting.direction, setting.users]),
      [["presence-chart", "up", 3], ["presence-support", "down", 1]],
    );
    assert.ok(stated[0].crossings.length >= 3, "when the alert began and ended is kept");
    const receivers = await store.query(`select "kind", "settings" from "alertReceiver"`);
    assert.deepEqual(receivers.map(({ kind, settings }) => `${kind} ${settings}`).sort(), [
      'slack {"url":"https://hooks.slack.com/services/T0/B0/test-of-0.1.0"}',
      'webhook {"url":"https://hooks.example.com/alerts?token=test-token-of-0.1.0"}',
    ]);
  });

  let marks: Marks;
  let webhook: Receiver;
  let server: Rollcall | undefined;

  beforeEach(async () => {
    marks = await marksOf(store);
    webhook = new Receiver();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await webhook[Symbol.asyncDispose]();
  });

  /** Starts this release on the data, in the minute after the release before it ended. */
  async function upgraded(): Promise<Rollcall> {
    await restoreReleased(store, webhook.url);
    const place = { zone: "UTC", language: "C.UTF-8" };
    const environment = {
      ...environmentAt({ time: marks.time, ...place }),
      ...settings,
      WEBHOOK_URL: webhook.url,
      ...store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl },
    };
    // From the sources: the bundle of the tests hashes passwords at less cost than a release.
    return server = await Rollcall.start(environment, store.dataFolder, "cli/serve.ts");
  }

  it("has people in with their passwords, sessions and links, and keeps out who was", async () => {
    const { origin } = await upgraded();
    const visitor = (cookies: Readonly<Record<string, string>> = {}) => {
      const made = new HttpVisitor(origin);
      for (const [name, value] of Object.entries(cookies)) made.cookies.set(name, value);
      return made;
    };
    const admin = visitor();
    assert.equal((await admin.signIn(ada)).status, 303);
    assert.equal((await admin.get("/admin/online")).status, 200, "she is still an admin");
    assert.equal((await visitor(marks.admin).get("/admin/online")).status, 200, "Ben's session");
    const user = visitor();
    assert.equal((await user.signIn(cleo)).status, 303);
    assert.equal((await user.get("/admin/online")).status, 403, "she is still a user");
    assert.match((await visitor().signIn(dora)).text, /disabled/);

    const guest = visitor(marks.blockedGuest);
    assert.match((await guest.get("/")).text, /blocked guest access for this browser/);
    await using socket = await AdmittedSocket.connect({ origin }, ownApp.key, guest);
    assert.equal((await socket.authorize("presence-chart")).status, 403);

    const invited = visitor();
    assert.match((await invited.get(marks.invite)).text, /eve@example\.com/);
    const joined = await invited.submit(marks.invite, { name: "Eve", password: ada.password });
    assert.equal(joined.status, 303);
    assert.equal((await invited.get("/admin/online")).status, 200, "with the role to come");
    const forgetful = visitor();
    await forgetful.get(marks.reset);
    const reset = await forgetful.submit(marks.reset, { password: "another horse battery" });
    assert.equal(reset.status, 303);
    const again = visitor().signIn({ ...cleo, password: "another horse battery" });
    assert.equal((await again).status, 303);
  });

  it("has apps with their keys and secrets, displays, embeds and waiting webhooks", async () => {
    const { origin } = await upgraded();
    const admin = new HttpVisitor(origin);
    await admin.signIn(ada);
    assert.deepEqual(await revealed(admin, marks.shop.id), marks.shop);
    assert.match((await admin.get("/admin/settings/connect")).text, /Our shop window/);
    for (const app of [marks.shop, ownApp]) {
      await using client = await AppClient.connect({ origin }, app);
      await client.join("presence-room", { user_id: "7" });
      assert.deepEqual(await channelsOf(origin, app), ["presence-room"]);
    }
    const anyone = new HttpVisitor(origin);
    assert.match((await anyone.get(marks.wallboard)).text, /wallboard-number/);
    assert.equal((await anyone.get(marks.revokedWallboard)).status, 404);
    assert.equal(typeof JSON.parse((await anyone.get(marks.embed)).text).users, "number");
    const { text } = await admin.get("/admin/settings/displays");
    for (const name of ["Lobby", "Status page"]) assert.ok(text.includes(name), name);

    const left = (channel: string, user: string) =>
      webhook.events.some((event) =>
        event.name === "member_removed" && event.channel === channel && event.user_id === user
      );
    await until(() => left("presence-chart", "u-10"), "an event that 0.1.0 kept was delivered");
    assert.deepEqual(webhook.wrongSignatures, []);
  });

  it("has the history, the activity, the admin log and the alerts on their pages", async () => {
    const { origin } = await upgraded();
    const admin = new HttpVisitor(origin);
    await admin.signIn(ada);
    const at = Date.parse(`${marks.time.replace(" ", "T")}Z`);
    const midnight = Math.floor(at / 86_400_000) * 86_400_000;
    const query = `range=day&midnight=${midnight}`;
    const report: HistoryReport = JSON.parse(
      (await admin.get(`/admin/online/history?${query}`)).text,
    );
    assert.ok(Math.max(...report.points.map((point) => point?.most ?? 0)) >= 4, "the history");

    const { text: activity } = await admin.get("/admin/activity/activity.csv");
    for (const line of [/Grace Hopper.*joined/i, /Visitor 0.*left/i, /Support desk.*joined/i]) {
      const channel = line.source.startsWith("Support") ? "?channel=presence-support" : "";
      const rows = channel
        ? (await admin.get(`/admin/activity/activity.csv${channel}`)).text
        : activity;
      assert.match(rows, line);
    }
    // Whom 0.1.0 left online when it was stopped or killed is not online any more.
    const online = await admin.get("/admin/online");
    assert.doesNotMatch(online.text, /Alan Turing[^<]*<[^>]*>\s*online/i);
    const lines = activity.split("\r\n").filter((line) => line.includes("Alan Turing"));
    assert.match(lines[0], /left/i);
    assert.equal(lines.filter((line) => /left/i.test(line)).length, 1);

    const log = (await audited(admin)).join("\n");
    for (
      const entry of [
        /Shop/,
        /Old kitchen/,
        /eve@example\.com/,
        /We deploy in five minutes/,
        /Dora/,
      ]
    ) assert.match(log, entry);
    const { text: alerts } = await admin.get("/admin/settings/alerts");
    for (const name of ["hooks.example.com", "hooks.slack.com", "presence-support"]) {
      assert.ok(alerts.includes(name), name);
    }
    assert.doesNotMatch(alerts, /test-token-of-0\.1\.0/);
    const { text: team } = await admin.get("/admin/settings/team");
    for (const name of ["Ada", "Ben", "Cleo", "Dora", "eve@example.com", marks.guestId]) {
      assert.ok(team.includes(name), name);
    }
  });
});

/** The tables in which 0.1.0 had rows. `server` and `attending` are empty once an only server is stopped. */
function tables({ engine }: TestDatabase): string[] {
  return [
    "account",
    "accountLink",
    "app",
    "attendance",
    ...engine === "postgres" ? ["attending"] : [],
    "auditEntry",
    "blockedGuest",
    "embed",
    "migration",
    "onlineInterval",
    "rateLimit",
    ...engine === "postgres" ? ["server"] : [],
    "session",
    "setting",
    "signInAttempt",
    "undeliveredWebhook",
    "user",
    "wallboardLink",
  ];
}

type Row = Record<string, unknown>;

/** The rows of all tables that have some, or those of the tables and columns of others. */
async function rowsOf(
  store: TestDatabase,
  like?: ReadonlyMap<string, Row[]>,
): Promise<Map<string, Row[]>> {
  const names = store.engine === "postgres"
    ? `select table_name as name from information_schema.tables where table_schema = 'public'`
    : "select name from sqlite_master where type = 'table'";
  const found = new Map<string, Row[]>();
  for (const { name } of await store.query(names)) {
    const columns = like ? Object.keys(like.get(`${name}`)?.[0] ?? {}) : ["*"];
    if (columns.length === 0) continue;
    const selected = columns.map((column) => column === "*" ? column : `"${column}"`);
    const order = name === "migration" ? ` order by "number"` : "";
    const rows = await store.query(`select ${selected} from "${name}"${order}`);
    if (rows.length > 0) found.set(`${name}`, rows);
  }
  return found;
}

function text(row: Row): string {
  return JSON.stringify(row);
}

/** The occupied channels of an app, as its server asks for them. */
async function channelsOf(origin: string, app: AppCredentials): Promise<string[]> {
  const { headers } = await new HttpVisitor(origin).get("/up");
  const seconds = Math.floor(Date.parse(headers.get("date") ?? "") / 1_000);
  const path = `/apps/${app.id}/channels`;
  const query = `auth_key=${app.key}&auth_timestamp=${seconds}&auth_version=1.0`;
  const signature = signRequest(app, requestText("GET", path, query));
  const address = `${path}?${query}&auth_signature=${signature}`;
  const answer = await new HttpVisitor(origin).get(address);
  assert.equal(answer.status, 200, answer.text);
  return Object.keys(JSON.parse(answer.text).channels);
}

/** An event of a webhook. */
interface Event {
  readonly name: string;
  readonly channel?: string;
  readonly user_id?: string;
}

/** The server of the operator, who takes the webhooks. */
class Receiver implements AsyncDisposable {
  readonly events: Event[] = [];
  readonly wrongSignatures: string[] = [];
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const body = await request.text();
      const signature = request.headers.get("x-pusher-signature") ?? "";
      if (signature !== signWebhook(ownApp, body)) this.wrongSignatures.push(signature);
      this.events.push(...JSON.parse(body).events);
      return new Response();
    },
  );

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/webhooks`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}
