import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AppClient } from "../../fixtures/app_client.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { guestOf } from "../../fixtures/guest.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, cleo as cleoAccount, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
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
  const auditLog = async () => (await ada.get("/admin/audit")).text;

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
    assert.equal(tab.frames.length, 0);
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
    await using app = await AppClient.connect(server, shop);
    await app.join("presence-chart", { user_id: "shop-17" });
    const { text } = await ada.get("/admin/messages");
    assert.match(text, /1 other person on Rollcall's pages sees this right away/);
    assert.match(text, /The 1 user of your app sees it only if your app shows/);
    const [, link] = text.match(/href="([^"]*)#about-messages"/) ?? [];
    assert.match((await ada.get(link)).text, /id="about-messages"/);
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
