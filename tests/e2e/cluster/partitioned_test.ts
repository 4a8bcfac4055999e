import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { Cable } from "../../fixtures/cable.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/postgres_rows.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

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
    await alone.printed(/Redis is not reached: the numbers stand still/);
    assert.match(await upOf(alone), /^200 up, but numbers stand still/);
    assert.equal(await ada.closeCode(), 4200);
    assert.match(alone.log, /sends its clients to them.* connections=1/);
    assert.equal(
      await upOf(alone),
      "503 cut off: other servers reach Redis, and this one does not",
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
    assert.deepEqual(await reports(), [true, true]);
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
