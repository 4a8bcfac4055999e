import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { until } from "../../fixtures/eventually.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { type Answer, HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { type MadeLink, makeLink, revokeLink } from "../../fixtures/admin_forms.ts";
import { routePatterns } from "../../fixtures/route_files.ts";

const key = "a-key-of-the-tests";
const app = { id: "4711", key, secret: "s".repeat(20) };

describe("a wallboard", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "0",
      ADMIT_GUESTS: "true",
    });
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** A socket of a page that shows a wallboard, with its CSRF token. */
  async function wallOf({ path }: { path: string }): Promise<AdmittedSocket> {
    const visitor = new HttpVisitor(server.origin);
    await visitor.get(path);
    return await AdmittedSocket.connect(server, key, visitor);
  }
  const channelOf = ({ id }: { id: string }) => `private-rollcall.wallboard.${id}`;
  const headersOf = ({ token }: { token: string }) => ({ "x-wallboard-token": token });

  it("shows the count to everyone with the link, also without script, but not to search engines", async () => {
    const link = await makeLink(ada);
    const visitor = new HttpVisitor(server.origin);
    const { status, headers, text } = await visitor.get(link.path);
    assert.equal(status, 200);
    assert.match(text, /wallboard-number"[^>]*>0</);
    assert.match(text, /<noscript><meta http-equiv="refresh" content="10"/);
    assert.match(text, /<meta name="robots" content="noindex, nofollow"/);
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("x-robots-tag"), "noindex, nofollow");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.doesNotMatch(text, /<nav|site-header|site-footer|<form|href="\/(admin|sign)/);
    assert.deepEqual([...visitor.cookies.keys()], ["rollcall_csrf"], "it makes no guest");
  });

  it("says how many are active where its link or its address has it", async () => {
    const link = await makeLink(ada);
    const withActive = await makeLink(ada, "Hall", { activity: "shown" });
    await using members = new MemberSockets(server, app);
    await members.join("ann", "bob");
    members.use("ann", { state: "active" });
    const shows = async (path: string) =>
      /<b>1<\/b> active,/.test((await new HttpVisitor(server.origin).get(path)).text);
    await until(() => shows(withActive.path), "the wallboard had the active user");
    assert.equal(await shows(link.path), false);
    assert.equal(await shows(`${link.path}?active`), true);
    const { text } = await ada.get("/admin/settings/displays");
    const [, hall, lobby] = text.split(/<tr><th scope="row">/);
    assert.match(hall, /^Hall<span class="soft below">shows how many are active</);
    assert.match(lobby, /^Lobby<\/th>/);
    await members.leave("ann", "bob");
    for (const made of [link, withActive]) await revokeLink(ada, made);
  });

  it("receives the count at once and at every change, and is not counted itself", async () => {
    const link = await makeLink(ada);
    await using wall = await wallOf(link);
    await wall.join(channelOf(link), headersOf(link));
    const first = (await wall.next("App\\Events\\UsersCounted")).data;
    assert.deepEqual([first.users, first.connections], [0, 0]);
    assert.ok(Math.abs(first.at - Date.now()) < 60_000);
    await using second = await wallOf(link);
    await second.join(channelOf(link), headersOf(link));
    assert.equal((await second.next("App\\Events\\UsersCounted")).data.users, 0);
    await using tab = await AdmittedSocket.connect(server, key, ben);
    await tab.join("presence-chart");
    for (const page of [wall, second]) {
      while ((await page.next("App\\Events\\UsersCounted")).data.users !== 1);
    }
    await tab.close();
    while ((await wall.next("App\\Events\\UsersCounted")).data.users !== 0);
  });

  it("receives the last hour of the same number, without guests, and has it in its HTML", async () => {
    const link = await makeLink(ada);
    await using wall = await wallOf(link);
    await wall.join(channelOf(link), headersOf(link));
    const { data } = await wall.next("App\\Events\\HourRead");
    const named = ["at", "before", "most", "peak", "record", "startsAt"];
    assert.deepEqual([Object.keys(data).sort(), data.most.length], [named, 60]);
    assert.ok(JSON.stringify(data).length < 1_000);
    await until(async () => {
      const { text } = await new HttpVisitor(server.origin).get(link.path);
      return /Peak today|New record today/.test(text);
    }, "a number was measured");
  });

  it("is closed at once when its link is revoked, and its page shows why", async () => {
    const [link, other] = [await makeLink(ada), await makeLink(ada, "Hall")];
    await using wall = await wallOf(link);
    await wall.join(channelOf(link), headersOf(link));
    await using unused = await wallOf(link);
    const { text: authorization } = await unused.authorize(channelOf(link), headersOf(link));
    await using stays = await wallOf(other);
    await stays.join(channelOf(other), headersOf(other));
    await revokeLink(ada, link);
    for (const each of [wall, unused]) assert.equal(await each.closeCode(), 4009);
    assert.equal(stays.socket.readyState, WebSocket.OPEN);
    assert.ok(JSON.parse(authorization).auth, "it was signed, and is of no use any more");
    await using late = await wallOf(link);
    const refused = await late.authorize(channelOf(link), headersOf(link));
    assert.deepEqual([refused.status, JSON.parse(refused.text).reason], [403, "link_unknown"]);
    assert.equal((await late.visitor.get(link.path)).status, 404);
  });

  it("is answered alike for a revoked link and one that never existed", async () => {
    const link = await makeLink(ada);
    await revokeLink(ada, link);
    const unknown = (link.token[0] === "A" ? "B" : "A") + link.token.slice(1);
    const visitor = new HttpVisitor(server.origin);
    const pages = [];
    for (const token of [link.token, unknown, "short", "%00"]) {
      const { status, headers, text } = await visitor.get(`/wallboard/${token}`);
      const varying = new Set(["content-security-policy", "x-request-id", "date", "set-cookie"]);
      const kept = [...headers].filter(([name]) => !varying.has(name));
      assert.match(text, /is invalid or has been revoked/);
      const alike = text.replace(/nonce="\w+"|<!--.*?-->|csrf-token" content="[^"]+"/g, "");
      pages.push({ status, kept, text: alike });
    }
    for (const page of pages) assert.deepEqual(page, pages[0]);
    assert.equal(pages[0].status, 404);
  });

  it("has a token that no other page and no log contains", async () => {
    const link = await makeLink(ada);
    await using wall = await wallOf(link);
    await wall.join(channelOf(link), headersOf(link));
    for (const path of ["/admin/settings/displays", "/admin/activity/admins", "/admin/online"]) {
      assert.ok(!(await ada.get(path)).text.includes(link.token), path);
    }
    await revokeLink(ada, link);
    assert.ok(!server.log.includes(link.token));
  });

  it("does not count an admin who opens it, and shows them nothing more", async () => {
    const link = await makeLink(ada);
    const { text } = await ada.get(link.path);
    assert.doesNotMatch(text, /\bAda\b|\/admin|Sign out/);
    await using wall = await AdmittedSocket.connect(server, key, ada);
    for (const channel of ["presence-chart", "private-rollcall.online"]) {
      assert.equal((await wall.authorize(channel, headersOf(link))).status, 403);
    }
    await wall.join(channelOf(link), headersOf(link));
    await ada.get("/admin/online");
    assert.equal(
      (await wall.authorize(channelOf(link))).status,
      403,
      "an admin has no other way in",
    );
  });
});

describe("wrong wallboard links", () => {
  it("are limited per address, without affecting wallboards that work", async () => {
    await using server = await Rollcall.start();
    const [ada] = await moveIn(server);
    const link = await makeLink(ada, "Lobby");
    const visitor = new HttpVisitor(server.origin);
    const statuses = [];
    for (let count = 0; count < 21; count++) {
      const wrong = await visitor.get(`/wallboard/${"x".repeat(42)}${count % 10}`);
      statuses.push(wrong.status);
      if (wrong.status !== 429) continue;
      assert.match(wrong.headers.get("retry-after") ?? "", /^\d+$/);
      assert.match(wrong.text, /Too many attempts/);
    }
    assert.deepEqual(statuses, [...Array(20).fill(404), 429]);
    assert.equal((await visitor.get(link.path)).status, 200);
    const ask = async (token: string) => {
      const fields = { socket_id: "1.1", channel_name: `private-rollcall.wallboard.${link.id}` };
      const headers = { "x-csrf-token": visitor.csrfToken, "x-wallboard-token": token };
      const body = new URLSearchParams(fields);
      return (await visitor.send("POST", "/broadcasting/auth", body, headers)).status;
    };
    assert.equal(await ask("x".repeat(43)), 429);
    assert.notEqual(await ask(link.token), 429);
  });

  it("are answered with 404 and the reason with an external Pusher server", async () => {
    await using server = await Rollcall.start({
      PUSHER_APP_ID: "1",
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      PUSHER_APP_CLUSTER: "eu",
    });
    const [ada] = await moveIn(server);
    const { status, text } = await ada.get(`/wallboard/${"x".repeat(43)}`);
    assert.equal(status, 404);
    assert.match(text, /available with an external Pusher server/);
    assert.match((await ada.get("/admin/settings/displays")).text, /external Pusher server/);
  });
});

/** Routes that are open to everyone. */
const open = ["/sign-in", "/wallboard/:token", "/broadcasting/session", "/docs", "/docs/search"];

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
    const { text } = await ada.get("/admin/settings/team");
    benId = text.slice(text.indexOf(benAccount.email)).match(/team\/([0-9a-f]{32})\//)?.[1] ?? "";
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
