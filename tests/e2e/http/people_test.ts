import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { addApp } from "../../fixtures/admin_forms.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { until } from "../../fixtures/eventually.ts";
import {
  ada as adaAccount,
  ben as benAccount,
  cleo,
  cleo as cleoAccount,
  guestOf,
  moveIn,
  userId,
} from "../../fixtures/people.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";

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
    (await ada.get("/admin/activity/admins")).text.match(/<tbody><tr>[^]*?<\/tr>/)?.[0] ?? "";

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
      async () =>
        (await ada.get(`/admin/people/${benId}`)).text.includes("disconnected by an admin"),
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
    await ada.submit(`/admin/settings/team/${benId}/enable`, {});
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
    assert.match(
      (await ada.get("/admin/settings/team")).text,
      new RegExp(`Blocked guests[^]*${id}`),
    );

    const other = await guestOf(server);
    assert.notEqual(other.id, id);
    assert.equal((await other.guest.get("/")).status, 200, "other guests are not blocked");

    await submit(id, "unblock");
    assert.match(await lastAction(), /Unblocked a guest/);
    assert.equal((await guest.get("/")).status, 200);
  });

  it("is refused for oneself and for the last admin, without an entry in the admin log", async () => {
    const before = await lastAction();
    for (const action of ["disconnect", "block"] as const) {
      const { headers } = await submit(adaId, action);
      assert.equal(headers.get("location"), `/admin/people/${adaId}?problem=yourself`);
    }
    const page = await ada.get(`/admin/people/${adaId}?problem=yourself`);
    assert.match(page.text, /You can't disconnect yourself/);
    const { headers } = await ada.submit(`/admin/settings/team/${adaId}/disable`, {});
    assert.match(
      (await ada.get(headers.get("location") ?? "")).text,
      /You can('|&#39;)t disable, delete or reset your own account/,
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

  it("disconnects a user of another application, whatever the id", async () => {
    const id = 'x/../%2F"<b>é?#';
    await using tab = await AdmittedSocket.joinAs(server, { key, secret }, id);
    const path = `/admin/people/${encodeURIComponent(id)}`;
    assert.equal((await ada.get(path)).status, 200);
    const disconnected = await submit(id, "disconnect");
    assert.equal(disconnected.headers.get("location"), `${path}?done=disconnected`);
    assert.equal(await tab.closeCode(), 4009);
    assert.equal((await ada.get(path)).status, 200, "a disconnected person keeps their page");
  });

  it("keeps a blocked user of another application out until an admin unblocks them", async () => {
    const id = 'y/../%2F"<b>é?#';
    const path = `/admin/people/${encodeURIComponent(id)}`;
    await using tab = await AdmittedSocket.joinAs(server, { key, secret }, id);
    const fields = { reason: "You broke the rules", confirmed: "" };
    const question = await submit(id, "block", fields);
    assert.match(question.text, /name="reason" value="You broke the rules"/);
    assert.equal(tab.socket.readyState, WebSocket.OPEN);
    const blocked = await submit(id, "block", { reason: "You broke the rules" });
    assert.equal(blocked.headers.get("location"), `${path}?done=blocked`);
    assert.equal(await tab.closeCode(), 4009);
    assert.match(await lastAction(), /Blocked a person[^]*Reason You broke the rules/);
    assert.match((await ada.get(path)).text, /This person is blocked/);
    assert.match((await ada.get("/admin/settings/team")).text, /You broke the rules[^]*Unblock/);

    const app = { id: "1", key, secret };
    const again = await AppClient.connect(server, app);
    const data = JSON.stringify({ user_id: id });
    const auth = signChannel(app, again.client.socketId, "presence-other", data);
    again.client.subscribe("presence-other", auth, data);
    const refusal = await again.client.next("pusher:subscription_error");
    assert.deepEqual(refusal.data, { type: "Blocked", error: "You broke the rules", status: 403 });
    assert.equal((await again.client.closed).code, 4009);
    await using other = await AdmittedSocket.joinAs(server, app, "another person");
    assert.equal(other.socket.readyState, WebSocket.OPEN);

    const unblocked = await submit(id, "unblock");
    assert.equal(unblocked.headers.get("location"), `${path}?done=unblocked`);
    assert.match(await lastAction(), /Unblocked a person/);
    await using back = await AdmittedSocket.joinAs(server, app, id);
    assert.equal(back.socket.readyState, WebSocket.OPEN);
  });

  it("blocks an id in any app from the list, with a reason that is not too long", async () => {
    const appId = await addApp(ada, "Shop");
    const send = (action: string, fields: Record<string, string>) =>
      ada.submit(`/admin/settings/team/blocked/${action}`, fields);
    const outcome = async (action: string, fields: Record<string, string>) =>
      (await send(action, fields)).headers.get("location")?.replace("/admin/settings/team?", "");
    assert.equal(await outcome("block", { app: "no", user: "42" }), "problem=no_app");
    assert.equal(await outcome("block", { app: appId, user: "" }), "problem=invalid_id");
    assert.equal(await outcome("block", { user: benId }), "problem=has_page");
    const tooLong = { app: appId, user: "42", reason: "x".repeat(201) };
    assert.equal(await outcome("block", tooLong), "problem=invalid_reason");
    assert.equal(
      await outcome("block", { app: appId, user: benId }),
      "done=blocked#blocked-people",
      "the ids of other apps are other people's",
    );
    assert.match(await lastAction(), new RegExp(`Blocked a person[^]*App Shop[^]*${benId}`));
    assert.match(
      (await ada.get("/admin/settings/team")).text,
      new RegExp(`${benId}[^]*in Shop[^]*by Ada`),
    );
    assert.equal(
      await outcome("unblock", { app: appId, user: benId }),
      "done=unblocked#blocked-people",
    );
    assert.match((await ada.get("/admin/settings/team")).text, /No one is blocked/);
    assert.equal((await send("other", { user: "42" })).status, 404);
  });

  it("answers 404 for an id that is unknown, and 400 for one that is no text", async () => {
    for (const id of ["f".repeat(32), "nobody", "%00", "x".repeat(200)]) {
      assert.equal((await ada.get(`/admin/people/${id}`)).status, 404, id);
    }
    assert.equal((await ada.get("/admin/people/%")).status, 400);
  });
});

const shop = { id: "4711", key, secret: "s".repeat(20) };
const sent = "App\\Events\\MessageSent";

describe("messages", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;
  let benId: string;
  const open = async (visitor: HttpVisitor, id: string) => {
    const socket = await AdmittedSocket.connect(server, key, visitor);
    await socket.join("presence-chart");
    await socket.join(`private-rollcall.users.${id}`);
    return socket;
  };
  const toAll = (text: string, headers: Record<string, string> = {}) =>
    ada.send(
      "POST",
      "/admin/messages",
      new URLSearchParams({ text, confirmed: "yes", _token: ada.csrfToken }),
      { accept: "application/json", ...headers },
    );
  const auditLog = async () => (await ada.get("/admin/activity/admins")).text;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      ADMIT_GUESTS: "true",
    });
    [ada, ben, cleo] = await moveIn(server, "user");
    benId = await userId(ada, benAccount);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("to one person reach all their pages and no other", async () => {
    await using first = await open(ben, benId);
    await using second = await open(ben, benId);
    await using other = await open(cleo, await userId(ada, cleoAccount));
    const text = "Lunch?\n<b>&amp;";
    const { status, headers } = await ada.submit(`/admin/people/${benId}/message`, { text });
    assert.equal(status, 303);
    assert.equal(headers.get("location"), `/admin/people/${benId}?done=sent`);
    for (const tab of [first, second]) {
      const { channel, data } = await tab.next(sent);
      assert.equal(channel, `private-rollcall.users.${benId}`);
      assert.deepEqual([data.from, data.text], ["Ada", text]);
      assert.ok(Math.abs(Date.parse(data.sentAt) - Date.now()) < 60_000);
    }
    await toAll("To all.");
    assert.equal((await other.next(sent)).data.text, "To all.", "the first message to Cleo");
    assert.match(await auditLog(), /Sent a message<[^]*Text Lunch\?\s+&lt;b/);
  });

  it("to everyone reach users and guests, but not the socket that sent them", async () => {
    const adaId = await userId(ada, { email: "ada@example.com" });
    const { guest, id } = await guestOf(server);
    await using own = await open(ada, adaId);
    await using ownOther = await open(ada, adaId);
    await using stranger = await open(guest, id);
    const answer = await toAll("Hello", { "x-socket-id": own.socketId });
    assert.equal(answer.status, 200);
    assert.match(JSON.parse(answer.text).message, /Message sent/);
    await toAll("Hello again", { "x-socket-id": "not an id" });
    for (const tab of [ownOther, stranger]) {
      assert.equal((await tab.next(sent)).data.text, "Hello");
      assert.equal((await tab.next(sent)).data.text, "Hello again");
    }
    assert.equal((await own.next(sent)).data.text, "Hello again");
    assert.match(await auditLog(), /Messaged everyone/);
  });

  it("to everyone need confirmation, which keeps the text", async () => {
    await using tab = await open(ben, benId);
    const fields = { text: 'Say "yes"', confirmed: "" };
    const { status, text } = await ada.submit("/admin/messages", fields);
    assert.equal(status, 200);
    assert.match(text, /Send to everyone\?/);
    assert.match(text, /name="text" value="Say &quot;yes&quot;"/);
    assert.doesNotMatch(await auditLog(), /Say .*yes/);
    // Those of the tests before may leave the channel meanwhile.
    assert.deepEqual(tab.frames.filter(({ event }) => event === sent), []);
  });

  it("have 1 to 500 characters", async () => {
    for (const text of ["", " \n ", "\u200b", "x".repeat(501)]) {
      const { status, text: body } = await toAll(text);
      assert.equal(status, 422);
      assert.equal(JSON.parse(body).reason, "invalid");
    }
    const long = "y".repeat(501);
    const page = await ada.submit("/admin/messages", { text: long });
    assert.equal(page.status, 422);
    assert.ok(page.text.includes(`${long}</textarea>`), "the typed text is kept");
    assert.match(page.text, /500 characters/);
    assert.equal(
      (await toAll(`${"z".repeat(498)}\r\n!`)).status,
      200,
      "a line end counts as one character",
    );
  });

  it("to a person who is offline are refused with the reason", async () => {
    const path = `/admin/people/${await userId(ada, cleoAccount)}`;
    assert.match((await ada.get(path)).text, /This person is offline/);
    const { status, text } = await ada.submit(`${path}/message`, { text: "Anybody there?" });
    assert.equal(status, 409);
    assert.match(text, /Messages can only be sent to people online/);
    assert.doesNotMatch(await auditLog(), /Anybody there/);
  });
});

describe("the form of a message to everyone", () => {
  it("says who will see it, and leads to the lines that show it in an app", async () => {
    await using server = await Rollcall.start({ APPS: JSON.stringify([shop]) });
    const [ada, ben] = await moveIn(server, "user");
    await using socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    await socket.join(`private-rollcall.users.${await userId(ada, benAccount)}`);
    await using app = await AppClient.connect(server, shop);
    await app.join("presence-chart", { user_id: "shop-17" });
    const { text } = await ada.get("/admin/messages");
    assert.match(text, /1 other person on Rollcall's pages sees this right away/);
    assert.match(text, /The 1 user of your app sees it only if your app shows/);
    const [, link] = text.match(/href="([^"]*)#about-messages"/) ?? [];
    assert.match((await ada.get(link)).text, /id="about-messages"/);
  });
});

describe("the form of a message to everyone, of an admin beside one who only watches", () => {
  it("counts the one who watches, whose pages show it", async () => {
    await using server = await Rollcall.start({ APPS: JSON.stringify([shop]) });
    const [ada, ben] = await moveIn(server);
    const reach = async () => (await ada.get("/admin/messages")).text;
    assert.match(await reach(), /No one else is on Rollcall's pages right now/);
    await using socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join(`private-rollcall.users.${await userId(ada, benAccount)}`);
    assert.match(await reach(), /1 other person on Rollcall's pages sees this right away/);
  });
});

describe("many messages", () => {
  it("are limited to 30 a minute for each sender", async () => {
    await using server = await Rollcall.start();
    const [ada, ben] = await moveIn(server);
    const send = (visitor: HttpVisitor) => visitor.submit("/admin/messages", { text: "Again" });
    for (let count = 0; count < 30; count++) assert.equal((await send(ada)).status, 303);
    const { status, headers, text } = await send(ada);
    assert.equal(status, 429);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    assert.match(text, /Try again in \d+ seconds?\./);
    assert.equal((await send(ben)).status, 303, "others have their own limit");
  });
});
