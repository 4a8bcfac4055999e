import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import {
  audited,
  changeSiteTag,
  type MadeSiteTag,
  makeSiteTag,
  revokeSiteTag,
} from "../../fixtures/admin_forms.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const origin = "https://example.com";

describe("a site tag", () => {
  let server: Rollcall;
  let ada: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      PRESENCE_GRACE_MS: "0",
    });
    [ada] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** What a page of a site asks for its socket. */
  async function ask(
    tag: Pick<MadeSiteTag, "auth">,
    fields: Record<string, string>,
    headers: Record<string, string> = { origin },
  ) {
    const body = new URLSearchParams(fields);
    const answer = await fetch(server.origin + tag.auth, { method: "POST", body, headers });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  /** A visitor of a site, counted. */
  async function visit(tag: MadeSiteTag, guest = "") {
    const socket = await AdmittedSocket.connect(server, key, new HttpVisitor(server.origin));
    const { status, body } = await ask(tag, { socket_id: socket.socketId, guest });
    assert.equal(status, 200, body.message);
    socket.subscribe("presence-chart", { auth: body.auth, channel_data: body.channel_data });
    const { data } = await socket.next("pusher_internal:subscription_succeeded");
    const listed = Object.keys(data.presence.hash);
    return { socket, guest: body.guest, id: JSON.parse(body.channel_data).user_id, listed };
  }

  it("counts a visitor as a guest who is sent the number only, and who stays the same guest", async () => {
    const tag = await makeSiteTag(ada);
    const { socket, guest, id, listed } = await visit(tag);
    await using first = socket;
    assert.match(id, /^guest-[0-9a-f]{32}$/);
    assert.deepEqual(listed, [id]);
    const again = await visit(tag, guest);
    await using second = again.socket;
    assert.equal(again.id, id);
    const forged = await visit(tag, guest.slice(0, -1) + (guest.endsWith("A") ? "E" : "A"));
    await using third = forged.socket;
    assert.notEqual(forged.id, id);
    assert.deepEqual(forged.listed, [forged.id], "no one else is listed");
    while ((await third.next("rollcall:count")).data.users !== 2);
    await Promise.all([first, second].map((socket) => socket.close()));
    while ((await third.next("rollcall:count")).data.users !== 1);
    await third.close();
  });

  it("counts no visitor among those who see a message to everyone, as pages of a site show none", async () => {
    const { socket } = await visit(await makeSiteTag(ada));
    await using _visitor = socket;
    const { text } = await ada.get("/admin/messages");
    assert.match(text, /No one else is on Rollcall's pages right now/);
  });

  it("sets no cookie, is kept by no cache, and can be read by pages of its origins only", async () => {
    const tag = await makeSiteTag(ada, `${origin} https://www.example.com`);
    const { status, headers } = await ask(tag, { socket_id: "1.2" });
    assert.equal(status, 200);
    assert.equal(headers.get("access-control-allow-origin"), origin);
    assert.equal(headers.get("access-control-allow-credentials"), null);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("set-cookie"), null);
    for (const other of ["https://example.org", "null", "http://example.com", ""]) {
      const refused = await ask(tag, { socket_id: "1.2" }, other ? { origin: other } : {});
      assert.deepEqual([refused.status, refused.body.reason], [403, "origin_refused"]);
      assert.match(refused.body.message, /origin is not among those of this site tag/);
      assert.equal(refused.headers.get("access-control-allow-origin"), null);
    }
    const preflight = await fetch(server.origin + tag.auth, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), origin);
  });

  it("refuses what is no socket, and requests that are too long", async () => {
    const tag = await makeSiteTag(ada);
    const malformed = await ask(tag, { socket_id: "1.x" });
    assert.deepEqual([malformed.status, malformed.body.reason], [422, "invalid_socket_id"]);
    const long = await ask(tag, { socket_id: "1.2", guest: "x".repeat(2_000) });
    assert.equal(long.status, 413);
    const read = await fetch(server.origin + tag.auth, { headers: { origin } });
    assert.deepEqual([read.status, read.headers.get("allow")], [405, "POST"]);
    await read.body?.cancel();
  });

  it("has a script with the key of the pages, below 3 KB, that browsers load from every site", async () => {
    const tag = await makeSiteTag(ada);
    const answer = await fetch(server.origin + tag.script, {
      headers: { "accept-encoding": "gzip" },
    });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/javascript/);
    assert.equal(answer.headers.get("cross-origin-resource-policy"), "cross-origin");
    assert.equal(answer.headers.get("set-cookie"), null);
    const text = await answer.text();
    assert.ok(text.includes(`"${key}"`));
    assert.ok(gzipSync(text).byteLength <= 3 * 1_024);
  });

  it("is revoked at once: sockets are closed, also unused ones, and nothing is signed", async () => {
    const [tag, other] = [await makeSiteTag(ada), await makeSiteTag(ada)];
    const { socket: counted } = await visit(tag);
    await using first = counted;
    await using unused = await AdmittedSocket.connect(
      server,
      key,
      new HttpVisitor(server.origin),
    );
    assert.equal((await ask(tag, { socket_id: unused.socketId })).status, 200);
    const { socket: staying } = await visit(other);
    await using stays = staying;
    await revokeSiteTag(ada, tag);
    for (const each of [first, unused]) assert.equal(await each.closeCode(), 4009);
    assert.equal(stays.socket.readyState, WebSocket.OPEN);
    const refused = await ask(tag, { socket_id: stays.socketId });
    assert.deepEqual([refused.status, refused.body.reason], [404, "tag_unknown"]);
    const script = await fetch(server.origin + tag.script);
    assert.equal(script.status, 404);
    await script.body?.cancel();
    const [revoked] = await audited(ada);
    assert.match(revoked, /Revoked a site tag/);
    await stays.close();
  });

  it("has visitors of an origin signed again when the origin is taken from it", async () => {
    const tag = await makeSiteTag(ada);
    const { socket } = await visit(tag);
    await using counted = socket;
    await changeSiteTag(ada, tag, { origins: "https://example.org" });
    assert.equal(await counted.closeCode(), 4200);
    assert.equal((await ask(tag, { socket_id: "1.2" })).status, 403);
  });

  it("does not count a guest whom an admin has blocked", async () => {
    const tag = await makeSiteTag(ada);
    const { socket, guest, id } = await visit(tag);
    await using counted = socket;
    await ada.get(`/admin/people/${id}`);
    await ada.submit(`/admin/people/${id}/block`, {});
    assert.equal(await counted.closeCode(), 4009);
    await until(
      async () => (await ask(tag, { socket_id: "1.2", guest })).body.reason === "guest_blocked",
      "the guest was refused",
    );
  });
});
