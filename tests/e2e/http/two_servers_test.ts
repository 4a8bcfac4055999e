import { strict as assert } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { Cable } from "../../fixtures/cable.ts";
import { until } from "../../fixtures/eventually.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/database_contents.ts";
import { makeSiteTag, makeToken, revokeSiteTag } from "../../fixtures/admin_forms.ts";
import { FakeProvider } from "../../fixtures/fake_provider.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { ada, ben, userId } from "../../fixtures/people.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { sharedRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import type { Found } from "@/shared/find.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const metricsToken = "a-token-of-the-tests";
const settings = {
  PUSHER_APP_ID: app.id,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  DRAIN_MS: "0",
};

describe("two servers on one PostgreSQL database", () => {
  let postgres: PostgresServer;
  let databaseUrl: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase();
  });

  /** The activity log, oldest first. */
  async function changes(): Promise<unknown[]> {
    const rows = await ask(databaseUrl, "select change, reason from attendance order by number");
    return rows.map(({ change, reason }) => [change, reason]);
  }

  /** Two servers that are one installation, and the first admin at one of them. */
  async function twoWithRedis(stack: AsyncDisposableStack, more: Record<string, string> = {}) {
    const redis = await sharedRedis();
    stack.defer(redis.stop);
    const environment = {
      ...settings,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.address,
      REDIS_PREFIX: `${crypto.randomUUID()}:`,
      METRICS_TOKEN: metricsToken,
      ...more,
    };
    const servers = await Promise.all([1, 2].map(() => Rollcall.start(environment)));
    for (const server of servers) stack.use(server);
    const [one, other] = servers;
    const admin = new HttpVisitor(await one.listening());
    await admin.setUp(await one.setupToken(), ada);
    return { one, other, admin };
  }

  /** Waits until a query has this many rows. */
  async function untilRows(count: number, statement: string): Promise<void> {
    await until(
      async () => (await ask(databaseUrl, statement)).length === count,
      `there were ${count} rows of: ${statement}`,
    );
  }

  it("are one server: the second waits, and gives up without a trace or takes over", async () => {
    const environment = { ...settings, DATABASE_URL: databaseUrl };
    await using first = await Rollcall.start(environment);
    await using _member = await AdmittedSocket.joinAs(first, app, "ada");
    await untilRows(1, "select 1 from attendance");

    const holder = `process ${first.pid} on [\\w.-]+, since [\\dT:.-]+Z`;
    const refusal = new RegExp(
      `code 1:\n.*Waiting for another server to stop holder="${holder}"\n` +
        `The database at DATABASE_URL is in use by ${holder}; stop that first\n$`,
    );
    await assert.rejects(Rollcall.start(environment), refusal);
    assert.deepEqual(await changes(), [["joined", null]]);

    const starting = Rollcall.start(environment);
    const isWaiting = "select 1 from pg_stat_activity where application_name like 'process %' " +
      "and datname = current_database()";
    await untilRows(2, isWaiting);
    assert.equal((await first.stop()).code, 0);
    await using second = await starting;
    assert.match(second.log, /Waiting for another server to stop/);
    assert.deepEqual(await changes(), [["joined", null], ["left", "server_restart"]]);
  });

  it("become one: the first stops when the second has got its lock meanwhile", async () => {
    const address = new URL(databaseUrl);
    await using cable = await Cable.to(`http://${address.host}`);
    address.host = new URL(cable.origin).host;
    await using first = await Rollcall.start({ ...settings, DATABASE_URL: address.href });
    // The last step of the start that needs the database: an outage before it ends the server.
    await first.setupToken();
    await using _member = await AdmittedSocket.joinAs(first, app, "ada");
    await untilRows(1, "select 1 from attendance");

    cable.cut();
    await using _second = await Rollcall.start({ ...settings, DATABASE_URL: databaseUrl });
    const atStart = await changes();
    cable.mend();
    await first.printed(/Another server uses the database, so this one stops holder="process/);
    assert.equal((await first.ended()).code, 1);
    assert.deepEqual(await changes(), atStart);
  });

  it("sign in with a provider, whichever of them it sends the browser back to, and once", async () => {
    await using stack = new AsyncDisposableStack();
    const provider = stack.use(FakeProvider.start());
    const { one, other, admin } = await twoWithRedis(stack, {
      ...provider.settings,
      APP_URL: "http://localhost:8123",
    });
    const [here, elsewhere] = [await one.listening(), await other.listening()];
    const visitor = new HttpVisitor(here);
    const callback = provider.authorize(await provider.startAt(visitor));
    const there = new HttpVisitor(elsewhere);
    const copies = [here, elsewhere].map((origin) => new HttpVisitor(origin));
    for (const each of [there, ...copies]) {
      for (const [name, value] of visitor.cookies) each.cookies.set(name, value);
    }
    const { status, text } = await there.get(callback);
    assert.equal(status, 303, text);
    for (const origin of [here, elsewhere]) {
      const signedIn = new HttpVisitor(origin);
      for (const [name, value] of there.cookies) signedIn.cookies.set(name, value);
      assert.equal((await signedIn.get("/admin/online")).status, 200);
    }
    for (const copy of copies) {
      const refused = await copy.get(callback);
      assert.equal(refused.status, 400);
      assert.match(refused.text, /This sign-in was already used/);
    }
    const id = await userId(admin, { email: "eve@example.com" });
    const log = (await admin.get(`/admin/activity/admins?target=${id}`)).text;
    assert.match(log, /Signed in with the provider for the first time/);
  });

  it("sign for a site's visitor whose socket the other has, and close it when the tag is revoked", async () => {
    await using stack = new AsyncDisposableStack();
    const { one, other, admin } = await twoWithRedis(stack);
    const tag = await makeSiteTag(admin);
    const { token } = await makeToken(admin, { name: "History", scope: "count" });
    const historyAt = async (
      origin: string,
    ): Promise<{ points: { most: number | null; guests: number | null }[] }> => {
      const headers = { authorization: `Bearer ${token}` };
      return await (await fetch(`${origin}/api/v1/history`, { headers })).json();
    };
    const signFor = (server: Rollcall, { socketId }: AdmittedSocket) =>
      new HttpVisitor(server.origin).send(
        "POST",
        tag.auth,
        new URLSearchParams({ socket_id: socketId }),
        { origin: "https://example.com" },
      );
    await using socket = await AdmittedSocket.connect(
      other,
      app.key,
      new HttpVisitor(other.origin),
    );
    const signed = await signFor(one, socket);
    assert.equal(signed.status, 200, signed.text);
    socket.subscribe("presence-chart", JSON.parse(signed.text));
    await socket.next("pusher_internal:subscription_succeeded");
    await using unused = await AdmittedSocket.connect(
      other,
      app.key,
      new HttpVisitor(other.origin),
    );
    assert.equal((await signFor(one, unused)).status, 200);
    await using _user = await AdmittedSocket.joinAs(one, app, "ann");
    for (const { origin } of [one, other]) {
      await until(async () => {
        const read = await ReadMetrics.of(origin, metricsToken);
        const labels = { app: app.id, channel: "presence-chart" };
        const [users, guests] = ["rollcall_users", "rollcall_guests"]
          .map((name) => read.value(name, labels));
        return users === 2 && guests === 1;
      }, `${origin} told the guest from the user`);
    }
    for (const { origin } of [one, other]) {
      await until(async () => {
        const { points } = await historyAt(origin);
        return points.some(({ most, guests }) => most === 2 && guests === 1);
      }, `the history of ${origin} told the guest from the user`);
    }
    await revokeSiteTag(admin, tag);
    for (const each of [socket, unused]) assert.equal(await each.closeCode(), 4009);
    assert.equal((await signFor(other, socket)).status, 404);
  });

  it("end what the pages of a user show at the other, with the permission that was taken at one", async () => {
    await using stack = new AsyncDisposableStack();
    const { other, admin } = await twoWithRedis(stack);
    const account = { ...ben, role: "moderator" };
    await admin.submit("/admin/settings/team", account);
    const id = await userId(admin, ben);
    const moderator = new HttpVisitor(other.origin);
    const reconnect = 4200;
    for (const role of ["viewer", "user", "viewer"]) {
      await moderator.signIn(account);
      const mayView = (await moderator.get("/admin/online")).status === 200;
      await moderator.get("/");
      await using tab = await AdmittedSocket.connect(other, app.key, moderator);
      await tab.join("presence-chart");
      const joining = tab.join("private-rollcall.online");
      await (mayView ? joining : assert.rejects(joining, /channel_refused/));
      await admin.submit(`/admin/settings/team/${id}/role`, { role });
      assert.equal(await tab.closeCode(), reconnect);
      // Who only gets a permission stays signed in.
      assert.equal((await moderator.get("/admin/online")).status, mayView ? 303 : 200);
    }
    assert.equal((await moderator.submit("/admin/messages", { text: "Hi" })).status, 403);
  });

  it("end what the pages of a viewer show at the other, once one limits the viewer to other channels", async () => {
    await using stack = new AsyncDisposableStack();
    const { other, admin } = await twoWithRedis(stack);
    const account = { ...ben, role: "viewer" };
    await admin.submit("/admin/settings/team", account);
    const path = `/admin/settings/team/${await userId(admin, ben)}`;
    const viewer = new HttpVisitor(other.origin);
    const elsewhere = { sees: "some", [`limit:${app.id}/presence-desk`]: "on" };
    const steps = [[elsewhere, true], [{ sees: "all" }, false], [elsewhere, true]] as const;
    for (const [limits, isLess] of steps) {
      await viewer.signIn(account);
      await using tab = await AdmittedSocket.connect(other, app.key, viewer);
      await tab.join("presence-chart");
      const joining = tab.join("private-rollcall.online");
      await (isLess ? joining : assert.rejects(joining, /channel_refused/));
      await admin.submit(`${path}/limits`, limits);
      assert.equal(await tab.closeCode(), 4200);
      const { status } = await viewer.get("/admin/online");
      assert.equal(status, isLess ? 303 : 200, "who sees less is signed out");
    }
    await viewer.signIn(account);
    for (const query of ["", "?channel=presence-chart"]) {
      assert.equal((await viewer.get(`/admin/online${query}`)).status, 404);
      assert.equal((await viewer.get(`/admin/online/snapshot${query}`)).status, 404);
    }
  });

  it("find a person who is at the other, whichever is asked, and no one who has left", async () => {
    await using stack = new AsyncDisposableStack();
    const { one, other, admin } = await twoWithRedis(stack, { PRESENCE_GRACE_MS: "0" });
    const elsewhere = new HttpVisitor(other.origin);
    await elsewhere.signIn(ada);
    await using members = new MemberSockets(other, app);
    await members.join({ id: "7", options: { name: "Zoe Berg" } });
    const found = { path: "/admin/people/7", title: "Zoe Berg" };
    const finds = async (visitor: HttpVisitor, title: string) => {
      const { text } = await visitor.get("/admin/find/list?q=zoe");
      const { groups }: Found = JSON.parse(text);
      return groups.some((group) =>
        group.title === title && group.entries.some((entry) => isDeepStrictEqual(entry, found))
      );
    };
    const visitors = [[one, admin], [other, elsewhere]] as const;
    for (const [{ origin }, visitor] of visitors) {
      await until(() => finds(visitor, "Online now"), `${origin} found Zoe`);
    }
    await members.leave("7");
    for (const [{ origin }, visitor] of visitors) {
      await until(() => finds(visitor, "Not online"), `${origin} found Zoe in the log`);
      assert.ok(!await finds(visitor, "Online now"));
    }
  });

  it("work as one with Redis: started at once on an empty database, with one setup link", async () => {
    const redis = await sharedRedis();
    await using stack = new AsyncDisposableStack();
    stack.defer(redis.stop);
    const environment = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.address,
      REDIS_PREFIX: `${crypto.randomUUID()}:`,
      DRAIN_MS: "0",
    };
    const starting = [1, 2].map(() => Rollcall.start(environment));
    const servers = await Promise.all(starting);
    for (const server of servers) stack.use(server);
    const tokens = await Promise.all(servers.map((server) => server.setupToken()));
    assert.equal(tokens[1], tokens[0]);
    for (const { origin } of servers) {
      const { status } = await new HttpVisitor(origin).get(`/setup?token=${tokens[0]}`);
      assert.equal(status, 200);
    }

    const { REDIS_URL: _, ...single } = environment;
    await assert.rejects(
      Rollcall.start(single),
      /code 1:\n.*\nThe database at DATABASE_URL is in use by servers with REDIS_URL: process \d+ on [\w.-]+, since [\dT:.-]+Z, and 1 more; stop them first, or set REDIS_URL here too\n$/,
    );
  });

  it("keep out servers with Redis while one without it uses the database", async () => {
    await using first = await Rollcall.start({ ...settings, DATABASE_URL: databaseUrl });
    const environment = {
      ...settings,
      DATABASE_URL: databaseUrl,
      REDIS_URL: "redis://127.0.0.1:1",
    };
    const holder = `process ${first.pid} on [\\w.-]+, since [\\dT:.-]+Z`;
    await assert.rejects(
      Rollcall.start(environment),
      new RegExp(
        `\nThe database at DATABASE_URL is in use by a server without REDIS_URL: ${holder}; stop ` +
          "that first\n$",
      ),
    );
  });
});
