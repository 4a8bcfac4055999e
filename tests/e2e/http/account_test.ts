import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { password } from "../../fixtures/signed_in.ts";

const key = "a-key-of-the-tests";
const newPassword = "another good password";
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 " +
  "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

describe("the page of one's own account", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada, ben, cleo] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Signs in once more, from another browser. */
  async function another(account: { email: string; password: string }, userAgent = "") {
    const visitor = new HttpVisitor(server.origin);
    await visitor.get("/sign-in");
    const { email, password } = account;
    const form = new URLSearchParams({ _token: visitor.csrfToken, email, password });
    const headers = { accept: "text/html", "user-agent": userAgent };
    assert.equal((await visitor.send("POST", "/sign-in", form, headers)).status, 303);
    await visitor.get("/");
    return visitor;
  }

  /** Connects a tab of a person. */
  async function tab(visitor: HttpVisitor) {
    const socket = await AdmittedSocket.connect(server, key, visitor);
    await socket.join("presence-chart");
    return socket;
  }

  const isSignedIn = async (visitor: HttpVisitor) => (await visitor.get("/account")).status === 200;
  const sessionIds = (page: string) =>
    [...page.matchAll(/\/account\/sessions\/([^/"]+)\/end/g)].map(([, id]) => id);

  it("is there for users and admins, and leads others to sign-in and back", async () => {
    for (const visitor of [ada, ben]) {
      const { status, text } = await visitor.get("/account");
      assert.equal(status, 200);
      assert.match(text, /href="\/account"/, "the name in the header leads there");
    }
    assert.match((await ben.get("/account")).text, /ben@example\.com/);
    const { status, headers } = await new HttpVisitor(server.origin).get("/account");
    assert.equal(status, 303);
    assert.equal(headers.get("location"), "/sign-in?return=%2Faccount");
  });

  it("changes the name, which admins see, and keeps a name that is refused in the form", async () => {
    const saved = await cleo.submit("/account/name", { name: "Cleopatra" });
    assert.equal(saved.headers.get("location"), "/account?done=name");
    assert.match((await cleo.get("/")).text, /Welcome, Cleopatra/);
    assert.match((await ada.get("/admin/settings/team")).text, /Cleopatra/);
    const refused = await cleo.submit("/account/name", { name: "x".repeat(101) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, new RegExp(`value="${"x".repeat(101)}"`));
    assert.match(refused.text, /role="alert"[^>]*>At most 100 characters/);
    const { text } = await ada.get(`/admin/activity/admins?action=name_changed`);
    assert.match(text, /Changed their name[^]*New name Cleopatra/);
  });

  it("has the language that its reader chooses, whatever the browser prefers", async () => {
    const cleo = await another({ ...benAccount, email: "cleo@example.com" });
    const home = async (prefers: string) => {
      const { text } = await cleo.get("/", { "accept-language": prefers });
      return /<html lang="(\w+)"/.exec(text)?.[1];
    };
    assert.equal(await home("de"), "de");
    for (const language of ["fr", "en", "es"]) {
      const saved = await cleo.submit("/account/language", { language });
      assert.equal(saved.headers.get("location"), "/account?done=language");
      assert.equal(await home("de"), language);
      assert.match((await cleo.get("/account")).text, new RegExp(`value="${language}" selected`));
    }
    const { status, text } = await cleo.submit("/account/language", { language: "nl" });
    assert.equal(status, 422);
    assert.match(text, /role="alert"/);
    assert.equal(await home("de"), "es");
    await cleo.submit("/account/language", { language: "" });
    assert.equal(await home("de"), "de");
  });

  it("is in German for who prefers that, with what is refused and asked", async () => {
    const cleo = await another({ ...benAccount, email: "cleo@example.com" }, iPhone);
    await cleo.get("/account");
    await cleo.submit("/account/language", { language: "de" });
    const inGerman = async (path: string, expected: RegExp) => {
      const { text } = await cleo.get(path);
      assert.match(text, /<html lang="de"/);
      assert.match(text, expected);
    };
    await inGerman("/account", /<h1>Ihr Konto<\/h1>[^]*Benutzer[^]*Safari \(iPhone\)/);
    await inGerman("/account?done=name", /Name gespeichert\./);
    await inGerman("/account/second-factor", /Einmalcodes einrichten/);
    const { text } = await cleo.submit("/account/delete", { confirmed: "" });
    assert.match(text, /Ihr Konto löschen\?/);
    const gone = await cleo.submit(`/account/sessions/${"0".repeat(32)}/end`, {});
    assert.match(gone.text, /Diese Sitzung ist bereits beendet\./);
    const refused = await cleo.submit("/account/password", { current: "x", password: "short" });
    assert.match(refused.text, /role="alert"[^>]*>Mindestens \d+ Zeichen/);
  });

  it("lists where one is signed in, and ends one session and its tabs at once", async () => {
    const phone = await another(benAccount, iPhone);
    await using socket = await tab(phone);
    await using own = await tab(ben);
    const { text } = await ben.get("/account");
    assert.match(text, /Safari on iPhone/);
    assert.match(text, /Open now/);
    assert.match(text, /This session/);
    assert.match(text, /127\.0\.0\.1/);
    const ids = sessionIds(text);
    assert.equal(ids.length, 1, "not this session");
    const ended = await ben.submit(`/account/sessions/${ids[0]}/end`, {});
    assert.equal(ended.headers.get("location"), "/account?done=ended");
    assert.equal(await socket.closeCode(), 4200);
    assert.equal(own.socket.readyState, WebSocket.OPEN);
    assert(!await isSignedIn(phone));
    assert(await isSignedIn(ben));
    assert.equal((await ben.submit(`/account/sessions/${ids[0]}/end`, {})).status, 404);
  });

  it("ends all other sessions and their tabs, and no others", async () => {
    const others = [await another(benAccount), await another(benAccount)];
    const sockets = await Promise.all(others.map(tab));
    await using ofAda = await tab(ada);
    const ended = await ben.submit("/account/sessions/end", {});
    assert.equal(ended.headers.get("location"), "/account?done=others");
    for (const socket of sockets) assert.equal(await socket.closeCode(), 4200);
    for (const other of others) assert(!await isSignedIn(other));
    assert(await isSignedIn(ben));
    assert(await isSignedIn(ada));
    assert.equal(ofAda.socket.readyState, WebSocket.OPEN);
  });

  it("does not end the session of another person", async () => {
    const phone = await another(benAccount);
    const [id] = sessionIds((await ben.get("/account")).text);
    await using socket = await tab(phone);
    await ada.get("/account");
    for (const visitor of [ada, cleo]) {
      assert.equal((await visitor.submit(`/account/sessions/${id}/end`, {})).status, 404);
    }
    assert(await isSignedIn(phone));
    assert.equal(socket.socket.readyState, WebSocket.OPEN);
    await ben.submit(`/account/sessions/${id}/end`, {});
  });

  it("changes the password of who knows it, and signs out everywhere else unless unticked", async () => {
    const [kept, ended] = [await another(benAccount), { ...benAccount, password: newPassword }];
    await ben.get("/account");
    const wrong = { current: "a wrong password", password: newPassword, others: "end" };
    const refused = await ben.submit("/account/password", wrong);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /This is not your current password/);
    assert(!refused.text.includes(newPassword), "no password is in a page");
    assert(await isSignedIn(kept));

    const unticked = { current: password, password: newPassword };
    assert.equal((await ben.submit("/account/password", unticked)).status, 303);
    assert(await isSignedIn(kept), "unticked");
    await using socket = await tab(kept);
    const ticked = { current: newPassword, password, others: "end" };
    assert.equal((await ben.submit("/account/password", ticked)).status, 303);
    assert.equal(await socket.closeCode(), 4200);
    assert(!await isSignedIn(kept));
    assert(await isSignedIn(ben));
    assert.equal((await new HttpVisitor(server.origin).signIn(ended)).status, 422);
    const benId = await userId(ada, benAccount);
    assert.match(
      (await ada.get(`/admin/activity/admins?target=${benId}`)).text,
      /Changed their password/,
    );
  });

  it("answers programs that guess a password with 422, and then with 429 and when to retry", async () => {
    const visitor = await another({ ...benAccount, email: "cleo@example.com" });
    await visitor.get("/account");
    const statuses: number[] = [];
    let last = new Headers();
    for (let i = 0; i < 11; i++) {
      const form = { _token: visitor.csrfToken, current: `guess ${i}`, password: newPassword };
      const body = new URLSearchParams(form);
      const accept = { accept: "application/json" };
      const { status, headers } = await visitor.send("POST", "/account/password", body, accept);
      statuses.push(status);
      last = headers;
    }
    assert.deepEqual(statuses, [...Array(10).fill(422), 429]);
    assert(Number(last.get("retry-after")) > 0);
  });

  it("works for the next person in the same browser", async () => {
    const visitor = await another(benAccount);
    await visitor.submit("/sign-out", {});
    assert(!await isSignedIn(visitor));
  });
});
