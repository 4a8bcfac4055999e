import { strict as assert } from "node:assert";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Context } from "fresh";
import type { State } from "../../../state.ts";
import { claimSocketOrRefuse } from "../../../http/socket_claim.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

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
    const { socket, socketId } = await connect(server);
    assert.equal((await sign(ada, socketId)).status, 200);
    assert.equal((await sign(ada, socketId)).status, 200);
    const refused = await sign(ben, socketId);
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.text).reason, "socket_of_another_visitor");
    socket.close();
    await withTimeout(once(socket, "close"), "the socket had closed");
  });

  it("is closed when the user is disabled", async () => {
    const { socket, socketId } = await connect(server);
    assert.equal((await sign(ben, socketId)).status, 200);
    const { text } = await ada.get("/admin/users");
    const id = text.slice(text.indexOf(benAccount.email)).match(/users\/([0-9a-f]+)"/)?.[1];
    const closed = once(socket, "close") as Promise<[CloseEvent]>;
    await ada.submit(`/admin/users/${id}/disable`, {});
    assert.equal((await withTimeout(closed, "the socket had closed"))[0].code, 4009);
  });
});

describe("claiming a socket", () => {
  it("is refused for a user who is disabled during the request", async () => {
    const session = { id: "1", user: { id: "a".repeat(32), role: "user" } };
    let isDisabled = false;
    const askWhile = (happening: () => void) => {
      const state = {
        session,
        visitor: { id: session.user.id, kind: "user", isAdmin: false },
        config: { admitGuests: false },
        accounts: { session: () => Promise.resolve(isDisabled ? null : session) },
        allServers: {
          claimSocket() {
            happening();
            return Promise.resolve("claimed");
          },
        },
      };
      const context = { state, req: new Request("http://localhost/") };
      // It has what the claim uses of a context, and nothing else.
      return claimSocketOrRefuse(context as unknown as Context<State>, "1.2");
    };
    assert.equal(await askWhile(() => {}), null);
    const refusal = await askWhile(() => isDisabled = true);
    assert.equal(refusal?.status, 403);
    assert.equal((await refusal?.json()).reason, "not_signed_in");
  });
});

/** A bare socket, connected as far as its socket id. */
async function connect(server: Rollcall): Promise<{ socket: WebSocket; socketId: string }> {
  const address = server.origin.replace(/^http/, "ws");
  const socket = new WebSocket(`${address}/app/${key}?protocol=7`);
  const received = once(socket, "message") as Promise<[MessageEvent]>;
  const [message] = await withTimeout(received, "the socket had its id", 30_000);
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
