import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Change } from "../../live_view/changes.ts";
import { AdmittedSocket } from "../fixtures/admitted_socket.ts";
import type { HttpVisitor } from "../fixtures/http_visitor.ts";
import { moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const adminChannel = "private-admin.online";

describe("what admins see of who is online", () => {
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

  it("tells them names, tabs and leaves as they happen", async () => {
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

  it("gives them everybody at once, for a page that begins", async () => {
    await using tab = await connect(ben);
    await tab.join("presence-chart");
    const { headers, text } = await ada.get("/admin/online/snapshot");
    assert.equal(headers.get("cache-control"), "no-store");
    const { people, users, connections } = JSON.parse(text);
    assert.deepEqual([people.length, people[0].name, users, connections], [1, "Ben", 1, 1]);
  });

  it("keeps names from everybody else", async () => {
    await using tab = await connect(ben);
    const { data } = await tab.join("presence-chart");
    assert.equal(JSON.stringify(data).includes("Ben"), false);
    assert.equal((await tab.authorize(adminChannel)).status, 403);
    assert.equal((await ben.get("/admin/online/snapshot")).status, 403);
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
