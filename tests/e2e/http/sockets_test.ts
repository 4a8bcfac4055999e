import { strict as assert } from "node:assert";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { AppConfig } from "@/realtime/server.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { openSocket, signFor } from "../../fixtures/member_sockets.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { Client } from "../../realtime/harness.ts";

const key = "a-key-of-the-tests";

describe("an authorized socket", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada, ben] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("is authorized for one visitor only", async () => {
    const { socket, socketId } = await openSocket(server, key);
    assert.equal((await signFor(ada, socketId)).status, 200);
    assert.equal((await signFor(ada, socketId)).status, 200);
    const refused = await signFor(ben, socketId);
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.text).reason, "socket_of_another_visitor");
    socket.close();
    await withTimeout(once(socket, "close"), "the socket had closed");
  });

  it("is closed when the user is disabled", async () => {
    const { socket, socketId } = await openSocket(server, key);
    assert.equal((await signFor(ben, socketId)).status, 200);
    const { text } = await ada.get("/admin/settings/team");
    const id = text.slice(text.indexOf(benAccount.email)).match(/team\/([0-9a-f]+)"/)?.[1];
    const closed = once(socket, "close") as Promise<[CloseEvent]>;
    await ada.submit(`/admin/settings/team/${id}/disable`, {});
    assert.equal((await withTimeout(closed, "the socket had closed"))[0].code, 4009);
  });
});

const app: AppConfig = { id: "own", key: "own-app-key", secret: "the-secret-of-our-pages" };

describe("a limit of connections", () => {
  for (const setting of ["MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_ADDRESS"]) {
    it(`${setting}: closes a further connection with 4100`, async () => {
      await using server = await Rollcall.start({
        [setting]: "2",
        APPS: JSON.stringify([app]),
        DRAIN_MS: "0",
      });
      const url = `${server.origin.replace("http", "ws")}/app/${app.key}?protocol=7`;
      const open = () => new Client(new WebSocket(url));
      const clients = [open(), open()];
      for (const client of clients) await client.next("pusher:connection_established");
      assert.equal((await open().closed).code, 4100);
      for (const client of clients) client.close();
      await Promise.all(clients.map(({ closed }) => closed));
    });
  }
});
