import { strict as assert } from "node:assert";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";

describe("what was signed for a socket", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada, ben] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("is signed for one visitor only", async () => {
    const { socket, socketId } = await connect(server);
    assert.equal((await sign(ada, socketId)).status, 200);
    assert.equal((await sign(ada, socketId)).status, 200);
    const refused = await sign(ben, socketId);
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.text).reason, "socket_of_another_visitor");
    socket.close();
    await once(socket, "close");
  });

  it("is worth nothing once the user is disabled", async () => {
    const { socket, socketId } = await connect(server);
    assert.equal((await sign(ben, socketId)).status, 200);
    const { text } = await ada.get("/admin/users");
    const id = text.slice(text.indexOf(benAccount.email)).match(/users\/([0-9a-f]+)\//)?.[1];
    const closed = once(socket, "close") as Promise<[CloseEvent]>;
    await ada.submit(`/admin/users/${id}/disable`, {});
    assert.equal((await closed)[0].code, 4009);
  });
});

/** A bare socket, connected as far as its socket id. */
async function connect(server: Rollcall): Promise<{ socket: WebSocket; socketId: string }> {
  const address = server.origin.replace(/^http/, "ws");
  const socket = new WebSocket(`${address}/app/${key}?protocol=7`);
  const [message] = await once(socket, "message") as [MessageEvent];
  const { data } = JSON.parse(message.data);
  return { socket, socketId: JSON.parse(data).socket_id };
}

function sign(visitor: HttpVisitor, socketId: string) {
  return visitor.send(
    "POST",
    "/broadcasting/auth",
    new URLSearchParams({ socket_id: socketId, channel_name: "presence-chart" }),
    { "x-csrf-token": visitor.csrfToken },
  );
}
