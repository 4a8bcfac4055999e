import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { until } from "../../fixtures/eventually.ts";
import { guestOf } from "../../fixtures/guest.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import {
  ada as adaAccount,
  ben as benAccount,
  cleo,
  moveIn,
  userId,
} from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const secret = "s".repeat(20);

describe("disconnecting and blocking a person", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let adaId: string;
  let benId: string;
  const open = async (visitor: HttpVisitor) => {
    const socket = await AdmittedSocket.connect(server, key, visitor);
    await socket.join("presence-chart");
    return socket;
  };
  const submit = (id: string, action: "disconnect" | "block" | "unblock", fields = {}) =>
    ada.submit(`/admin/people/${encodeURIComponent(id)}/${action}`, fields);
  const lastAction = async () =>
    (await ada.get("/admin/audit")).text.match(/<tbody><tr>[^]*?<\/tr>/)?.[0] ?? "";

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: secret,
      PRESENCE_GRACE_MS: "0",
      ADMIT_GUESTS: "true",
    });
    [ada, ben] = await moveIn(server, "user");
    [adaId, benId] = [await userId(ada, adaAccount), await userId(ada, benAccount)];
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("asks for confirmation and does nothing without it, with 422 for programs", async () => {
    await using tab = await open(ben);
    const before = await lastAction();
    const question = await submit(benId, "disconnect", { confirmed: "" });
    assert.equal(question.status, 200);
    assert.match(question.text, /<h1[^>]*>Disconnect Ben\?/);
    assert.match(question.text, new RegExp(`action="/admin/people/${benId}/disconnect"`));
    assert.equal(tab.socket.readyState, WebSocket.OPEN);
    assert.equal(await lastAction(), before);
    const headers = { accept: "application/json", "x-csrf-token": ada.csrfToken };
    const path = `/admin/people/${benId}/disconnect`;
    const answer = await ada.send("POST", path, new URLSearchParams(), headers);
    assert.equal(answer.status, 422);
    assert.equal(JSON.parse(answer.text).reason, "not_confirmed");
  });

  it("closes every tab of a disconnected person, who can rejoin", async () => {
    const tabs = [await open(ben), await open(ben)];
    const { status, headers } = await submit(benId, "disconnect");
    assert.equal(status, 303);
    for (const tab of tabs) assert.equal(await tab.closeCode(), 4009);
    const page = await ada.get(headers.get("location") ?? "");
    assert.match(page.text, /Disconnected\./);
    assert.match(
      await lastAction(),
      /Disconnected a person[^]*Open tabs 2[^]*Ben|Disconnected a person[^]*Ben[^]*Open tabs 2/,
    );
    await using again = await open(ben);
    assert.equal(again.socket.readyState, WebSocket.OPEN);
    // The activity log is written a moment later.
    await until(
      async () => (await ada.get(`/admin/people/${benId}`)).text.includes("removed by an admin"),
      "the page of Ben showed the reason of the leave",
    );
  });

  it("disables a user who is blocked, and ends their session", async () => {
    await using tab = await open(ben);
    await submit(benId, "block");
    assert.equal(await tab.closeCode(), 4009);
    assert.match(await lastAction(), /Disabled a user[^]*Ben/);
    assert.match((await ben.signIn(benAccount)).text, /disabled/);
    assert.match((await ada.get(`/admin/people/${benId}`)).text, /This account is disabled/);
    await ada.submit(`/admin/users/${benId}/enable`, {});
    assert.equal((await ben.signIn(benAccount)).status, 303);
  });

  it("keeps a blocked guest out until an admin unblocks the guest", async () => {
    const { guest, id } = await guestOf(server);
    await using tab = await open(guest);
    await submit(id, "block");
    assert.equal(await tab.closeCode(), 4009);
    assert.match(await lastAction(), /Blocked a guest/);

    await using second = await AdmittedSocket.connect(server, key, guest);
    const refused = await second.authorize("presence-chart");
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.text).reason, "guest_blocked");
    const page = await guest.get("/");
    assert.equal(page.status, 403);
    assert.match(page.text, /blocked guest access for this browser/);
    assert.doesNotMatch(page.text, /users-count/);
    assert.equal(
      (await guest.get("/sign-in")).status,
      200,
      "signing in with an account is possible",
    );
    assert.match((await ada.get("/admin/users")).text, new RegExp(`Blocked guests[^]*${id}`));

    const other = await guestOf(server);
    assert.notEqual(other.id, id);
    assert.equal((await other.guest.get("/")).status, 200, "other guests are not blocked");

    await submit(id, "unblock");
    assert.match(await lastAction(), /Unblocked a guest/);
    assert.equal((await guest.get("/")).status, 200);
  });

  it("is refused for oneself and for the last admin, without an entry in the audit log", async () => {
    const before = await lastAction();
    for (const action of ["disconnect", "block"] as const) {
      const { headers } = await submit(adaId, action);
      assert.equal(headers.get("location"), `/admin/people/${adaId}?problem=yourself`);
    }
    const page = await ada.get(`/admin/people/${adaId}?problem=yourself`);
    assert.match(page.text, /You can't disconnect yourself/);
    const { headers } = await ada.submit(`/admin/users/${adaId}/disable`, {});
    assert.match(
      (await ada.get(headers.get("location") ?? "")).text,
      /You can('|&#39;)t disable your own account/,
    );
    assert.equal((await ada.submit(`/admin/people/${benId}/remove`, {})).status, 404);
    assert.equal((await ada.get("/admin/online")).status, 200);
    assert.equal(await lastAction(), before);
  });

  it("refuses with the reason to disconnect a user who is offline", async () => {
    const cleoId = await userId(ada, cleo);
    const { headers } = await submit(cleoId, "disconnect");
    assert.match(headers.get("location") ?? "", /problem=not_online/);
    assert.match(
      (await ada.get(headers.get("location") ?? "")).text,
      /This person has no open tabs/,
    );
  });

  it("disconnects but does not block a user of another application, whatever the id", async () => {
    const id = 'x/../%2F"<b>é?#';
    await using tab = await AdmittedSocket.joinAs(server, { key, secret }, id);
    const path = `/admin/people/${encodeURIComponent(id)}`;
    const page = await ada.get(path);
    assert.equal(page.status, 200);
    assert.match(page.text, /Your app decides who can join/);
    const blocked = await submit(id, "block");
    assert.equal(blocked.headers.get("location"), `${path}?problem=not_blockable`);
    const disconnected = await submit(id, "disconnect");
    assert.equal(disconnected.headers.get("location"), `${path}?done=disconnected`);
    assert.equal(await tab.closeCode(), 4009);
    assert.equal((await ada.get(path)).status, 200, "a disconnected person keeps their page");
  });

  it("answers 404 for an id that is unknown, and 400 for one that is no text", async () => {
    for (const id of ["f".repeat(32), "nobody", "%00", "x".repeat(200)]) {
      assert.equal((await ada.get(`/admin/people/${id}`)).status, 404, id);
    }
    assert.equal((await ada.get("/admin/people/%")).status, 400);
  });
});
