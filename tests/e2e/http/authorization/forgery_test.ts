import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { csrfToken, newCsrfSeed } from "@/server/accounts/csrf_token.ts";
import { visitorChannel } from "@/server/presence/channels.ts";
import { readSecretsFile } from "@/server/config/stored_secrets.ts";
import { AdmittedSocket } from "../../../fixtures/admitted_socket.ts";
import {
  addApp,
  makeEmbed,
  makeInvite,
  makeLink,
  makeMark,
  makeReceiver,
  makeRule,
  makeSiteTag,
  makeToken,
} from "../../../fixtures/admin_forms.ts";
import type { Answer, HttpVisitor } from "../../../fixtures/http_visitor.ts";
import { cleo as cleoAccount, guestOf, moveIn, userId } from "../../../fixtures/people.ts";
import { Rollcall } from "../../../fixtures/rollcall.ts";
import { keptState, key } from "./callers.ts";
import { mailSettings, type Sample, type Scene, table } from "./table.ts";
import { addSignedIn } from "../../../fixtures/signed_in.ts";

const pusherKey = "a-key-of-the-tests";

describe("a forged request of another site", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;
  let samples: Sample[];

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: pusherKey,
      PUSHER_APP_SECRET: "s".repeat(20),
      ...mailSettings,
    });
    [ada, ben, cleo] = await moveIn(server, "user");
    const cleoId = await userId(ada, cleoAccount);
    const { id: linkId } = await makeLink(ada);
    const { id: embedId } = await makeEmbed(ada);
    const { id: siteTagId } = await makeSiteTag(ada);
    const markId = await makeMark(ada);
    const appId = await addApp(ada, "Chat");
    const guestId = `guest-${"0".repeat(32)}`;
    const inviteId = await makeInvite(ada);
    const { id: tokenId } = await makeToken(ada);
    const receiverId = await makeReceiver(ada);
    const ruleId = await makeRule(ada);
    const ids = {
      cleoId,
      appId,
      linkId,
      embedId,
      siteTagId,
      markId,
      receiverId,
      ruleId,
      tokenId,
      inviteId,
      guestId,
    };
    const scene = { ...ids, socketId: "1.2" };
    samples = Object.entries(table(scene))
      .flatMap(([route, samples]) => route.startsWith("POST") ? samples : []);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Every way to send a form without the token of the page. */
  const ways: Record<string, (sample: Sample) => Promise<Answer>> = {
    "without a token": ({ path, fields }) => send(path, fields ?? {}),
    "with an empty token": ({ path, fields }) => send(path, { ...fields, _token: "" }),
    "with a made-up token": ({ path, fields }) =>
      send(path, { ...fields, _token: "x".repeat(ada.csrfToken.length) }),
    "with a token of another session": ({ path, fields }) =>
      send(path, { ...fields, _token: ben.csrfToken }),
    "with a wrong token in the header, whatever the form says": ({ path, fields }) =>
      send(path, { ...fields, _token: ada.csrfToken }, { "x-csrf-token": ben.csrfToken }),
    "with the token in the address": ({ path, fields }) =>
      send(`${path}?_token=${encodeURIComponent(ada.csrfToken)}`, fields ?? {}),
    "as JSON without a token": ({ path, fields }) =>
      ada.send("POST", path, JSON.stringify({ ...fields, confirmed: "yes" }), {
        "content-type": "application/json",
      }),
  };
  const send = (path: string, fields: Record<string, string>, headers = {}) =>
    ada.send("POST", path, new URLSearchParams({ ...fields, confirmed: "yes" }), {
      accept: "text/html",
      ...headers,
    });

  for (const [way, sendIt] of Object.entries(ways)) {
    it(`is refused ${way}, and changes nothing`, async () => {
      await using tab = await AdmittedSocket.connect(server, pusherKey, cleo);
      await tab.join("presence-chart");
      const before = keptState(server);
      assert.ok(samples.length > 10);
      for (const sample of samples) {
        const { status, headers } = await sendIt(sample);
        const isSignIn = ["/sign-in", "/sign-out"].includes(sample.path.split("?")[0]);
        const isLedBack = isSignIn && status === 303 && headers.get("location") === "/sign-in";
        assert.ok(status === 419 || isLedBack, `${sample.path}: ${status}`);
      }
      assert.equal(keptState(server), before);
      assert.equal(tab.socket.readyState, WebSocket.OPEN);
      assert.deepEqual(tab.frames.filter(({ event }) => event.includes("MessageSent")), []);
      assert.equal((await ada.get("/admin/online")).status, 200, "still signed in");
    });
  }

  it("is refused with a method other than POST", async () => {
    const before = keptState(server);
    for (const { path, fields } of samples) {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const body = new URLSearchParams({ ...fields, _token: ada.csrfToken, confirmed: "yes" });
        const { status } = await ada.send(method, path, body);
        assert.ok([404, 405].includes(status), `${method} ${path}: ${status}`);
      }
    }
    assert.equal(keptState(server), before);
  });
});

/** What an admin loses after the server has found out who sends the request, as SQL. */
const losses = {
  "the role": `update "user" set "role" = 'user' where "id" = new."userId"`,
  "all but a moderator's role": `update "user" set "role" = 'moderator' where "id" = new."userId"`,
  "all but a viewer's role": `update "user" set "role" = 'viewer' where "id" = new."userId"`,
  "the account": `update "user" set "banned" = 1 where "id" = new."userId"`,
  "the session": `delete from "session" where "id" = new."id"`,
};

/** Requests that change nothing, or are refused for what they ask: not for who asks. */
const otherwise = [
  "/admin/channels/data",
  "/admin/online/counted",
  "/admin/settings/check",
  "/admin/settings/alert/test",
  "/enable",
  "/unblock",
];

/** Whether a request is still permitted after a loss. */
function isKept(loss: string, { access, path }: Sample): boolean {
  // On the users page, too, a user can be disabled and an id blocked: what moderators may do elsewhere.
  const isModerators = access === "moderator" || /\/disable$|\/blocked\//.test(path);
  return loss.includes("moderator") && isModerators;
}

const dee = { name: "Dee", email: "dee@example.com", role: "admin" as const };

describe("an action of an admin who has lost the right to it meanwhile", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let cleo: HttpVisitor;
  let cleoId: string;
  let guest: HttpVisitor;
  let appSecret: string;
  let samples: Sample[];
  let database: DatabaseSync;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      ADMIT_GUESTS: "true",
      ...mailSettings,
    });
    [ada, , cleo] = await moveIn(server, "user");
    appSecret = (await readSecretsFile(server.dataFolder))!.appSecret;
    database = new DatabaseSync(join(server.dataFolder, "rollcall.sqlite"), { timeout: 10_000 });
    cleoId = await userId(ada, cleoAccount);
    const met = await guestOf(server);
    guest = met.guest;
    await ada.submit(`/admin/settings/team/${cleoId}/reset-link`, {});
    database.prepare(`insert into "oneTimeCode" values (?, 'x', 0, 0)`).run(cleoId);
    database.prepare(`update "session" set "vouchedBy" = 'second_factor' where "userId" = ?`)
      .run(cleoId);
    const scene: Scene = {
      cleoId,
      guestId: met.id,
      appId: await addApp(ada, "Chat"),
      linkId: (await makeLink(ada)).id,
      embedId: (await makeEmbed(ada)).id,
      siteTagId: (await makeSiteTag(ada)).id,
      markId: await makeMark(ada),
      receiverId: await makeReceiver(ada),
      ruleId: await makeRule(ada),
      tokenId: (await makeToken(ada)).id,
      inviteId: await makeInvite(ada),
      socketId: "1.2",
    };
    const all = Object.entries(table(scene));
    samples = all.flatMap(([route, samples]) => route.startsWith("POST /admin") ? samples : [])
      .filter(({ path }) => !otherwise.some((end) => path.endsWith(end)));
    samples.push({ path: "/admin/activity/activity.csv", access: "admin" });
  });
  afterAll(async () => {
    database.close();
    await server[Symbol.asyncDispose]();
  });

  /** Signs Dee in for one request, in the middle of which something is lost. */
  async function askWhile(loss: string, { path, fields }: Sample): Promise<Answer> {
    forget();
    const [visitor] = await addSignedIn(server, [dee]);
    const { id } = database.prepare(
      `select "session"."id" from "session" join "user" on "user"."id" = "userId" where "email" = ?`,
    ).get(dee.email) as { id: string };
    // The use of a session that was not seen for long is stored, once its user has been read.
    database.prepare(`update "session" set "updatedAt" = ? where "id" = ?`)
      .run(new Date(Date.now() - 3_600_000).toISOString(), id);
    database.exec(`create trigger "meanwhile" after update of "updatedAt" on "session"
      when new."id" = '${id}' begin ${loss}; end`);
    const seed = newCsrfSeed();
    visitor.cookies.set("rollcall_csrf", seed);
    visitor.csrfToken = csrfToken(appSecret, seed, id);
    const answer = fields ? await visitor.submit(path, fields) : await visitor.get(path);
    forget();
    return answer;
  }

  function forget(): void {
    database.exec(`drop trigger if exists "meanwhile"`);
    for (const table of ["account", "session"]) {
      database.prepare(
        `delete from "${table}" where "userId" in (select "id" from "user" where "email" = ?)`,
      ).run(dee.email);
    }
    database.prepare(`delete from "user" where "email" = ?`).run(dee.email);
  }

  for (const [what, loss] of Object.entries(losses)) {
    it(`is refused and changes nothing: ${what} is lost`, async () => {
      await using tab = await AdmittedSocket.connect(server, key, cleo);
      await tab.join("presence-chart");
      await tab.join(visitorChannel(cleoId));
      await using guests = await AdmittedSocket.connect(server, key, guest);
      await guests.join("presence-chart");
      const before = keptState(server);
      assert.ok(samples.length > 20);
      const others: string[] = [];
      for (const sample of samples) {
        if (isKept(what, sample)) continue;
        const { status } = await askWhile(loss, sample);
        const request = `${sample.path} ${JSON.stringify(sample.fields)}`;
        if (status !== 403) others.push(`${status} ${request}`);
        assert.equal(keptState(server), before, request);
      }
      assert.deepEqual(others, []);
      for (const { socket } of [tab, guests]) {
        assert.equal(socket.readyState, WebSocket.OPEN, "no one was disconnected");
      }
      assert.deepEqual(tab.frames.filter(({ event }) => event.includes("MessageSent")), []);
    });
  }
});
