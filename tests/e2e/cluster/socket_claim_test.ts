import { strict as assert } from "node:assert";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { eventually, until } from "../../fixtures/eventually.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveInWithForms, userId } from "../../fixtures/people.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { openSocket, signFor } from "../../fixtures/signed_socket.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

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
    await ada.submit(`/admin/users/${await userId(ada, benAccount)}/disable`, {});
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
