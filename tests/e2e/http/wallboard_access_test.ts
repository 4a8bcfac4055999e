import assert from "node:assert/strict";
import { routePatterns } from "../../fixtures/route_files.ts";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { type Answer, HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { type MadeLink, makeLink } from "../../fixtures/wallboards.ts";

const key = "a-key-of-the-tests";

/** Routes that are open to everyone. */
const open = ["/sign-in", "/wallboard/:token", "/broadcasting/session"];

/** It looks at what is asked for before it looks at the token. */
const authRoute = "/broadcasting/auth";

describe("the token of a wallboard", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let benId: string;
  let link: MadeLink;
  let other: MadeLink;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada, ben] = await moveIn(server, "user");
    const { text } = await ada.get("/admin/users");
    benId = text.slice(text.indexOf(benAccount.email)).match(/users\/([0-9a-f]{32})\//)?.[1] ?? "";
    [link, other] = [await makeLink(ada), await makeLink(ada, "Hall")];
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const pattern of routePatterns("routes").filter((pattern) => !open.includes(pattern))) {
    it(`does not open ${pattern}`, async () => {
      const path = pattern.replace(":id", benId).replace(":action", "disable");
      const visitor = new HttpVisitor(server.origin);
      await visitor.get(link.path);
      const headers = { "x-wallboard-token": link.token, accept: "text/html" };
      assertClosed(await visitor.send("GET", path, undefined, headers));
      assertClosed(await visitor.get(`${path}?token=${link.token}`));
      const form = new URLSearchParams({
        _token: visitor.csrfToken,
        confirmed: "yes",
        role: "admin",
        text: "x",
        name: "x",
        users: "1",
        direction: "up",
        holdSeconds: "0",
        token: link.token,
      });
      assertClosed(
        await visitor.send("POST", path, form, headers),
        pattern === authRoute ? 422 : 403,
      );
    });
  }

  it("opens its own channel and no other", async () => {
    const wall = new HttpVisitor(server.origin);
    await wall.get(link.path);
    await using socket = await AdmittedSocket.connect(server, key, wall);
    const headers = { "x-wallboard-token": link.token };
    const own = `private-rollcall.wallboard.${link.id}`;
    const foreign = [
      "presence-chart",
      "private-rollcall.online",
      `private-rollcall.users.${benId}`,
      "private-rollcall.users.",
      `private-rollcall.wallboard.${other.id}`,
      "private-rollcall.wallboard.",
      "private-wallboard",
      `${own}.x`,
      `private-rollcall.wallboard.${link.id.toUpperCase()}x`,
      `presence-wallboard.${link.id}`,
      `private-cache-wallboard.${link.id}`,
      `private-encrypted-wallboard.${link.id}`,
      "private-",
      "presence-",
      "news",
      `wallboard.${link.id}`,
    ];
    for (const channel of foreign) {
      const { status, text } = await socket.authorize(channel, headers);
      assert.deepEqual([status, JSON.parse(text).reason], [403, "channel_refused"], channel);
    }
    assert.equal((await socket.authorize(own, headers)).status, 200);
    assert.equal((await socket.authorize(own)).status, 403);
    for (const token of ["", other.token, `${link.token}x`, link.id]) {
      assert.equal((await socket.authorize(own, { "x-wallboard-token": token })).status, 403);
    }
  });

  it("authenticates no user, and authorizes no socket of another visitor", async () => {
    const wall = new HttpVisitor(server.origin);
    await wall.get(link.path);
    await using socket = await AdmittedSocket.connect(server, key, wall);
    const headers = { "x-wallboard-token": link.token, "x-csrf-token": wall.csrfToken };
    const form = new URLSearchParams({ socket_id: socket.socketId });
    assert.equal((await wall.send("POST", "/broadcasting/user-auth", form, headers)).status, 403);
    await using bens = await AdmittedSocket.connect(server, key, ben);
    await bens.join("presence-chart");
    const stolen = new URLSearchParams({
      socket_id: bens.socketId,
      channel_name: `private-rollcall.wallboard.${link.id}`,
    });
    const { status, text } = await wall.send("POST", "/broadcasting/auth", stolen, headers);
    assert.deepEqual([status, JSON.parse(text).reason], [403, "socket_of_another_visitor"]);
  });

  it("authorizes nothing without the CSRF token of the wallboard's page", async () => {
    const wall = new HttpVisitor(server.origin);
    await wall.get(link.path);
    await using socket = await AdmittedSocket.connect(server, key, wall);
    wall.csrfToken = "";
    const headers = { "x-wallboard-token": link.token };
    const { status } = await socket.authorize(`private-rollcall.wallboard.${link.id}`, headers);
    assert.equal(status, 419);
  });
});

/** Sent away to sign in, not there, not for this method, or refused; never an answer. */
function assertClosed({ status, headers, text }: Answer, refusal = 403): void {
  const leadsTo = headers.get("location") ?? "";
  if (status === 303) assert.match(leadsTo, /^\/sign-in(\?|$)/);
  else assert.ok([refusal, 404, 405].includes(status), String(status));
  assert.doesNotMatch(text, /\b(?:Ada|Ben|Cleo)\b/);
}
