import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../../fixtures/admitted_socket.ts";
import {
  addApp,
  makeEmbed,
  makeInvite,
  makeLink,
  makeSiteTag,
  makeToken,
} from "../../../fixtures/admin_forms.ts";
import {
  ada as adaAccount,
  cleo as cleoAccount,
  guestOf,
  moveIn,
  userId,
} from "../../../fixtures/people.ts";
import type { Answer, HttpVisitor } from "../../../fixtures/http_visitor.ts";
import { Rollcall } from "../../../fixtures/rollcall.ts";
import { type Caller, callersOf, keptState, key } from "./callers.ts";
import { routesOfFiles } from "../../../fixtures/route_files.ts";
import { type Sample, type Scene, table } from "./table.ts";

it("the table of access has every route", async () => {
  const ids = { cleoId: "", guestId: "", appId: "", linkId: "", embedId: "", inviteId: "" };
  const scene: Scene = { ...ids, siteTagId: "", tokenId: "", socketId: "" };
  assert.deepEqual(Object.keys(table(scene)).sort(), await routesOfFiles());
});

for (const admitsGuests of [false, true]) {
  describe(`access where guests are ${admitsGuests ? "" : "not "}admitted`, () => {
    let server: Rollcall;
    let ada: HttpVisitor;
    let cleo: HttpVisitor;
    let scene: Scene;
    let callers: Caller[];
    /** What only admins can read. */
    let secrets: string[];

    beforeAll(async () => {
      server = await Rollcall.start({
        PUSHER_APP_KEY: key,
        PUSHER_APP_SECRET: "s".repeat(20),
        ADMIT_GUESTS: String(admitsGuests),
      });
      [ada, , cleo] = await moveIn(server, "user");
      callers = await callersOf(server, ada, admitsGuests);
      const guestId = admitsGuests ? (await guestOf(server)).id : `guest-${"0".repeat(32)}`;
      const { id: linkId } = await makeLink(ada);
      const { id: embedId } = await makeEmbed(ada);
      const { id: siteTagId } = await makeSiteTag(ada);
      const { id: tokenId } = await makeToken(ada);
      const appId = await addApp(ada, "Chat");
      const inviteId = await makeInvite(ada);
      const cleoId = await userId(ada, cleoAccount);
      const ids = { cleoId, guestId, appId, linkId, embedId, siteTagId, tokenId, inviteId };
      scene = { ...ids, socketId: "1.2" };
      secrets = [cleoAccount.name, cleoAccount.email, scene.cleoId, adaAccount.email];
    });
    afterAll(() => server[Symbol.asyncDispose]());

    it("is refused for every route that the visitor has no right to", async () => {
      await using tab = await AdmittedSocket.connect(server, key, cleo);
      await tab.join("presence-chart");
      const before = keptState(server);
      for (const caller of callers) {
        for (const [route, samples] of Object.entries(table(scene))) {
          for (const sample of samples) {
            if (isAboutOneself(sample) && caller.isSignedIn) continue;
            const request = `${caller.what}: ${route} ${JSON.stringify(sample.fields ?? "")}`;
            const answer = await ask(caller.visitor, sample);
            checkAnswer(caller, sample, answer, request);
            // An answer may repeat what the request contains.
            const kept = secrets.filter((secret) => !JSON.stringify(sample).includes(secret));
            for (const one of kept) assert.ok(!hasWord(answer.text, one), `${request}: ${one}`);
          }
        }
      }
      assert.equal(keptState(server), before, "nothing was changed");
      assert.equal(tab.socket.readyState, WebSocket.OPEN, "no one was disconnected");
      assert.deepEqual(tab.frames.filter(({ event }) => event.includes("MessageSent")), []);
    });

    it("is refused for programs with JSON instead of the sign-in page", async () => {
      for (const { what, visitor, isSignedIn } of callers) {
        const accept = { accept: "application/json" };
        const { status, text } = await visitor.send("GET", "/admin/users", undefined, accept);
        assert.equal(status, 403, what);
        assert.equal(JSON.parse(text).reason, isSignedIn ? "forbidden" : "not_signed_in", what);
      }
    });

    it("is granted to an admin everywhere", async () => {
      for (const [route, samples] of Object.entries(table(scene))) {
        if (!route.startsWith("GET /admin")) continue;
        for (const { path } of samples.slice(0, 1)) {
          assert.ok((await ada.get(path)).status < 400, path);
        }
      }
      const { text } = await ada.get("/admin/users");
      for (const secret of secrets) assert.ok(hasWord(text, secret), secret);
    });
  });
}

/** Whether a word stands by itself in a text: a random token can contain a short name. */
function hasWord(text: string, word: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`).test(text);
}

/** Whether a signed-in user may send it: it concerns no other user. */
function isAboutOneself({ access }: Sample): boolean {
  return access === "signed out" || access === "signed in";
}

function ask(visitor: HttpVisitor, { path, fields }: Sample): Promise<Answer> {
  return fields ? visitor.submit(path, fields) : visitor.get(path);
}

function checkAnswer(caller: Caller, { access }: Sample, answer: Answer, request: string): void {
  const { status, headers } = answer;
  const location = headers.get("location") ?? "";
  if (access === "everyone" || access === "signed out") return assert.ok(status < 500, request);
  if (access === "signing" || access === "no caller") {
    return assert.equal(status, access === "signing" && caller.isCounted ? 200 : 403, request);
  }
  if (access === "counted" && caller.isCounted) return assert.equal(status, 200, request);
  if (access === "counted" && caller.isBlocked) return assert.equal(status, 403, request);
  if (access === "admin" && caller.isSignedIn) return assert.equal(status, 403, request);
  assert.equal(status, 303, request);
  assert.match(location, /^\/sign-in\?return=/, request);
}
