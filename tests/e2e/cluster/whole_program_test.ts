import { signChannel } from "@/realtime/protocol/signature.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { eventually, until } from "../../fixtures/eventually.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/database_contents.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { AppClient, MemberSockets, openSocket, signFor } from "../../fixtures/member_sockets.ts";
import { Cable } from "../../fixtures/cable.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveInWithForms, userId } from "../../fixtures/people.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const settings = {
  PUSHER_APP_ID: app.id,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  DRAIN_MS: "0",
};

describe("two servers with REDIS_URL", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let environment: Record<string, string>;
  let databaseUrl: string;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => void await Promise.all([postgres.stop(), redis.stop()]));
  beforeEach(async () => {
    await redis.flushAll();
    databaseUrl = await postgres.createDatabase();
    environment = { ...settings, DATABASE_URL: databaseUrl, REDIS_URL: redis.address };
  });

  /** The activity log, oldest first. */
  async function changes(): Promise<unknown[]> {
    const rows = await ask(databaseUrl, "select change, reason from attendance order by number");
    return rows.map(({ change, reason }) => [change, reason]);
  }

  /** Whether two servers have said with their last heartbeats that no users have to come back to them. */
  async function haveAllUsers(): Promise<boolean> {
    const counts = "local count = 0 for _, text in ipairs(redis.call('HVALS', KEYS[1])) do " +
      `if string.find(text, '"recovers":false', 1, true) then count = count + 1 end end return count`;
    return await redis.command("EVAL", counts, "1", "rollcall:totals") === "2";
  }

  it("record each join and leave once, also of a server that was lost", async () => {
    await using first = await Rollcall.start(environment);
    await using second = await Rollcall.start(environment);
    await using _ada = await AdmittedSocket.joinAs(first, app, "ada");
    const bob = await AdmittedSocket.joinAs(second, app, "bob");
    await until(async () => (await changes()).length === 2);
    await bob[Symbol.asyncDispose]();
    await until(async () => (await changes()).length === 3);
    first.kill();
    await until(async () => (await changes()).length === 4);
    assert.deepEqual(await changes(), [
      ["joined", null],
      ["joined", null],
      ["left", "closed"],
      ["left", "server_lost"],
    ]);
    assert.equal((await second.stop()).code, 0);
  });

  it("recover together after all were killed, although the leases of the killed ones are not over", async () => {
    const measured = { ...environment, METRICS_TOKEN: metricsToken };
    const users = ["ada", "bob", "cara"];
    const [one, other] = await Promise.all([Rollcall.start(measured), Rollcall.start(measured)]);
    await using before = new MemberSockets(one, app);
    await before.join(...users);
    await until(haveAllUsers, "both said that they have all users");
    for (const server of [one, other]) server.kill();
    // At once: a recovery ends after a while, and on a busy machine each start takes long.
    const both = await Promise.all([Rollcall.start(measured), Rollcall.start(measured)]);
    await using servers = new AsyncDisposableStack();
    const [first, second] = both.map((server) => servers.use(server));
    const areRecovering = () => Promise.all([first, second].map(recoveringOf));
    await until(async () => (await areRecovering()).join() === "1,1", "both recovered");
    await using after = new MemberSockets(second, app);
    await after.join(...users);
    await until(async () => (await areRecovering()).join() === "0,0", "both had recovered");
    await using third = await Rollcall.start(measured);
    assert.equal(await recoveringOf(third), 0);
  });

  it("refuse a blocked person of an app on both at once, in joins that are under way too, and after a start", async () => {
    const servers = await Promise.all([1, 2].map(() => Rollcall.start(environment)));
    await using _servers = new AsyncDisposableStack();
    for (const server of servers) _servers.use(server);
    const [ada] = await moveInWithForms(servers[0]);
    const members = await Promise.all(servers.map((server) => {
      return AdmittedSocket.joinAs(server, app, "bo");
    }));
    let isAnswered = false;
    // Each joins again and again until it is refused, so that joins are under way when the block comes.
    const joiners = [...servers, ...servers, ...servers].map(async (server) => {
      while (true) {
        const mustFail = isAnswered;
        const { client } = await joinAsBo(server);
        const frames = await client.settled().catch(() => null);
        if (!frames) {
          const { code } = await client.closed;
          // What the client sends in the moment of the close hides its code: then it tries once more.
          if (code === 4009) return code;
          continue;
        }
        assert.equal(mustFail, false, "no one joins once the block is answered");
        client.close();
        await client.closed;
      }
    });
    await ada.submit("/admin/people/bo/block", { reason: "You broke the rules" });
    isAnswered = true;
    for (const member of members) assert.equal(await member.closeCode(), 4009);
    assert.deepEqual(await Promise.all(joiners), joiners.map(() => 4009));
    const page = async () => (await ada.get("/admin/people/bo")).text;
    await until(async () => (await page()).includes("Offline"), "bo was offline");

    await servers[1].stop();
    await using later = await Rollcall.start(environment);
    const { client } = await joinAsBo(later);
    assert.equal((await client.next("pusher:subscription_error")).data.type, "Blocked");
    await ada.submit("/admin/people/bo/unblock", {});
    await using back = await AdmittedSocket.joinAs(later, app, "bo");
    assert.equal(back.socket.readyState, WebSocket.OPEN);
  });
});

/** A client of the app that has asked to join as Bo. */
async function joinAsBo(server: Rollcall): Promise<AppClient> {
  const bo = await AppClient.connect(server, app);
  const data = JSON.stringify({ user_id: "bo" });
  const { socketId } = bo.client;
  bo.client.subscribe("presence-chart", signChannel(app, socketId, "presence-chart", data), data);
  return bo;
}

const metricsToken = "a-token-of-the-tests";

/** The metric of the recovery. */
async function recoveringOf({ origin }: Rollcall): Promise<number> {
  return (await ReadMetrics.of(origin, metricsToken)).value("rollcall_recovering");
}

describe("a server that alone has lost Redis", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => void await Promise.all([postgres.stop(), redis.stop()]));

  it("sends its clients to the other one after two leases, and accepts clients when it has Redis again", async () => {
    await using cable = await Cable.to(redis.address);
    const databaseUrl = await postgres.createDatabase();
    const environment = {
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      DRAIN_MS: "0",
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.address,
    };
    const reports = async () => {
      const rows = await ask(databaseUrl, `select "seesRedis" from server order by 1`);
      return rows.map(({ seesRedis }) => seesRedis);
    };
    const { port } = new URL(cable.origin);
    const viaCable = Object.assign(new URL(redis.address), { port }).href;
    await using alone = await Rollcall.start({ ...environment, REDIS_URL: viaCable });
    await using other = await Rollcall.start(environment);
    const ada = await AdmittedSocket.joinAs(alone, app, "ada");
    await using bob = await AdmittedSocket.joinAs(other, app, "bob");

    cable.cut();
    await alone.printed(/Redis is not reached: the numbers are stale/);
    assert.match(await upOf(alone), /^200 up, but stale/);
    assert.equal(await ada.closeCode(), 4200);
    assert.match(alone.log, /sends its clients to them.* connections=1/);
    assert.equal(
      await upOf(alone),
      "503 partitioned: other servers reach Redis, and this one does not",
    );
    assert.equal(await upOf(other), "200 up, but 1 of 2 servers answer");
    assert.deepEqual(await reports(), [false, true]);
    const late = AdmittedSocket.connect(alone, app.key, new HttpVisitor(alone.origin));
    await assert.rejects(late, /Closed before/);
    await using _moved = await AdmittedSocket.joinAs(other, app, "ada");
    assert.equal((await bob.next("pusher_internal:member_added")).data.user_id, "ada");

    cable.mend();
    await alone.printed(/Clients are not sent to other servers any more/);
    await using back = await AdmittedSocket.joinAs(alone, app, "cara");
    assert.equal((await bob.next("pusher_internal:member_added")).data.user_id, "cara");
    await until(async () => await upOf(alone) === "200 up");
    await until(async () => (await reports()).join() === "true,true", "both reported to see Redis");
    await back.close();
    assert.equal((await alone.stop()).code, 0);
    assert.deepEqual(await reports(), [true]);
  });
});

/** The status and the text of the answer to `/up`. */
async function upOf({ origin }: Rollcall): Promise<string> {
  const answer = await fetch(`${origin}/up`);
  return `${answer.status} ${(await answer.text()).trim()}`;
}

const key = "a-key-of-the-tests";

describe("a socket of one server, authorized by another", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let first: Rollcall;
  let second: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const environment = {
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      DRAIN_MS: "0",
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.address,
    };
    first = await Rollcall.start(environment);
    second = await Rollcall.start(environment);
    [ada, ben] = await moveInWithForms(first);
  });
  afterAll(async () => {
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await Promise.all([postgres.stop(), redis.stop()]);
  });

  it("is one visitor's only, and is closed when that user is disabled", async () => {
    const { socket, socketId } = await openSocket(second, key);
    assert.equal((await signFor(ben, socketId)).status, 200);
    const refused = await signFor(ada, socketId);
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.text).reason, "socket_of_another_visitor");
    const closed = once(socket, "close") as Promise<[CloseEvent]>;
    await ada.submit(`/admin/settings/team/${await userId(ada, benAccount)}/disable`, {});
    assert.equal((await withTimeout(closed, "the socket had closed"))[0].code, 4009);
  });

  it("is authorized no more while its server does not answer, and after it is gone", async () => {
    const { socket, socketId } = await openSocket(second, key);
    assert.equal((await signFor(ada, socketId)).status, 200);
    redis.freeze();
    try {
      assertUnreachable(await signFor(ada, socketId));
    } finally {
      redis.thaw();
    }
    await eventually(
      async () => (await signFor(ada, socketId)).status === 200 || undefined,
      "the servers reached each other",
    );
    const closed = once(socket, "close");
    second.kill();
    await withTimeout(closed, "the socket had closed");
    await until(async () => (await signFor(ada, socketId)).status === 503);
    assertUnreachable(await signFor(ada, socketId));
  });
});

function assertUnreachable({ status, text }: { status: number; text: string }): void {
  assert.deepEqual([status, JSON.parse(text).reason], [503, "socket_unreachable"]);
}
