import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import type { Change } from "@/shared/online.ts";

const key = "a-key-of-the-tests";
const adminChannel = "private-rollcall.online";

describe("the live view of admins", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  const connect = (visitor: HttpVisitor) => AdmittedSocket.connect(server, key, visitor);

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      PRESENCE_GRACE_MS: "0",
    });
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("sends names, tabs and leaves as they happen", async () => {
    await using admin = await connect(ada);
    await admin.join(adminChannel);
    assert.deepEqual(JSON.parse((await ada.get("/admin/online/snapshot")).text).people, []);
    const tabs = [await connect(ben), await connect(ben)];
    await tabs[0].join("presence-chart");
    const joined = await nextChange(admin, "joined");
    assert.deepEqual([joined.person.name, joined.person.role, joined.person.connections], [
      "Ben",
      "user",
      1,
    ]);
    await tabs[1].join("presence-chart");
    assert.equal((await nextChange(admin, "changed")).connections, 2);
    for (const tab of tabs) await tab.close();
    assert.equal((await nextChange(admin, "left")).id, joined.person.id);
  });

  it("shows numbers of one moment, with the page that is about to connect", async () => {
    await using tab = await connect(ben);
    await tab.join("presence-chart");
    const { text } = await ada.get("/admin/online");
    const plain = text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    assert.match(plain, /Current Users Online .*? 2 users online, including you 2 tabs/);
    assert.match(plain, /2 people .*Open connections 2 /);
  });

  it("answers a snapshot of everyone online, with the health of its moment", async () => {
    await using tab = await connect(ben);
    await tab.join("presence-chart");
    const { headers, text } = await ada.get("/admin/online/snapshot");
    assert.equal(headers.get("cache-control"), "no-store");
    const { people, users, connections, alert, health } = JSON.parse(text);
    assert.equal(health.connections, 1);
    assert.deepEqual([people.length, people[0].name, users, connections], [1, "Ben", 1, 1]);
    assert.deepEqual(alert, { threshold: null, phase: "normal", since: null });
  });

  it("answers when people were last heard from", async () => {
    await using tab = await connect(ben);
    const { data } = await tab.join("presence-chart");
    const [id] = data.presence.ids;
    const before = Date.now();
    tab.socket.send(JSON.stringify({ event: "pusher:ping", data: {} }));
    await tab.next("pusher:pong");
    const { status, headers, text } = await ada.get(`/admin/online/seen?ids=${id}&ids=nobody`);
    assert.deepEqual([status, headers.get("cache-control")], [200, "no-store"]);
    const seen = JSON.parse(text);
    assert.deepEqual(seen.map((one: { id: string }) => one.id), [id]);
    assert.ok(seen[0].lastSeenAt >= before - 50 && seen[0].lastSeenAt <= Date.now() + 50);
  });

  it("answers 422 for more than a hundred ids, or malformed ones", async () => {
    const ids = (count: number, id = "x") => `/admin/online/seen?${`ids=${id}&`.repeat(count)}`;
    assert.equal((await ada.get(ids(100))).text, "[]");
    assert.equal((await ada.get(ids(0))).text, "[]");
    for (const path of [ids(101), ids(1, ""), ids(1, "x".repeat(129))]) {
      const { status, text } = await ada.get(path);
      assert.deepEqual([status, JSON.parse(text).reason], [422, "invalid_ids"]);
    }
  });

  it("answers rows of the list, from the first one on or with one that stays in its place", async () => {
    await using tab = await connect(ben);
    const { data } = await tab.join("presence-chart");
    const rows = async (query: string) =>
      JSON.parse((await ada.get(`/admin/online/rows?offset=0&limit=9&${query}`)).text);
    const { people, total, hits, offset } = await rows("q=BEN&sort=-since");
    assert.deepEqual([people[0].name, total, hits, offset], ["Ben", 1, 1, 0]);
    assert.equal((await rows("q=nobody")).hits, 0);
    assert.equal((await rows(`anchor=7:${data.presence.ids[0]}`)).people[0].name, "Ben");
  });

  it("answers 422 for rows beyond its limits, or malformed ones", async () => {
    const anchors = (count: number) => "&anchor=1:x".repeat(count);
    for (const query of ["offset=0&limit=100", `offset=9&limit=1&q=a${anchors(5)}`]) {
      assert.equal((await ada.get(`/admin/online/rows?${query}`)).status, 200);
    }
    const malformed = [
      "",
      "offset=0",
      "offset=-1&limit=1",
      "offset=0&limit=101",
      "offset=0&limit=0",
      "offset=1e9&limit=1",
      "offset=0&limit=1&anchor=x",
      "offset=0&limit=1&anchor=1:",
      `offset=0&limit=1${anchors(6)}`,
      `offset=0&limit=1&q=${"x".repeat(101)}`,
    ];
    for (const query of malformed) {
      const { status, text } = await ada.get(`/admin/online/rows?${query}`);
      assert.deepEqual([status, JSON.parse(text).reason], [422, "invalid_rows"], query);
    }
  });

  it("names the app of its users from the moment that there are several", async () => {
    const app = { key, secret: "s".repeat(20) };
    await using _user = await AdmittedSocket.joinAs(server, app, "42");
    await using admin = await connect(ada);
    await admin.join(adminChannel);
    const { text } = await ada.get("/admin/online/snapshot");
    assert.deepEqual(JSON.parse(text).people.map(({ source }: { source?: string }) => source), [
      undefined,
    ]);
    const { headers } = await ada.submit("/admin/settings/connect", { name: "Blog" });
    assert.equal((await nextChange(admin, "joined")).person.source, "Your app");
    const blog = new URL(headers.get("location") ?? "", server.origin).searchParams.get("app");
    assert.match((await ada.get("/admin/people/42")).text, />Source</);
    await ada.submit(`/admin/settings/connect/apps/${blog}/remove`, {});
    assert.equal((await nextChange(admin, "joined")).person.source, undefined);
  });

  it("sends names to admins only", async () => {
    await using tab = await connect(ben);
    const { data } = await tab.join("presence-chart");
    assert.equal(JSON.stringify(data).includes("Ben"), false);
    assert.equal((await tab.authorize(adminChannel)).status, 403);
    const stranger = new HttpVisitor(server.origin);
    for (const path of ["/admin/online", "/admin/online/snapshot", "/admin/online/seen?ids=x"]) {
      assert.equal((await ben.get(path)).status, 403);
      assert.equal((await stranger.get(path)).status, 303);
    }
  });
});

async function nextChange<T extends Change["type"]>(
  socket: AdmittedSocket,
  type: T,
): Promise<Extract<Change, { type: T }>> {
  while (true) {
    const { data } = await socket.next("App\\Events\\OnlineChanged");
    const change = (data.changes as Change[]).find((one) => one.type === type);
    if (change) return change as Extract<Change, { type: T }>;
  }
}
