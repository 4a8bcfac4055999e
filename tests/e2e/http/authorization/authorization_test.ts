import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
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
import {
  ada as adaAccount,
  cleo as cleoAccount,
  guestOf,
  moveIn,
  userId,
} from "../../../fixtures/people.ts";
import type { Answer, HttpVisitor } from "../../../fixtures/http_visitor.ts";
import { Rollcall } from "../../../fixtures/rollcall.ts";
import { type Caller, callersOf, keptState, key, rowsOf } from "./callers.ts";
import { routesOfFiles } from "../../../fixtures/route_files.ts";
import { type Access, mailSettings, type Sample, type Scene, table } from "./table.ts";
import { addSignedIn } from "../../../fixtures/signed_in.ts";
import { visitorChannel } from "@/server/presence/channels.ts";
import { readSecretsFile } from "@/server/config/stored_secrets.ts";
import { type Role, roles } from "@/shared/permissions.ts";

const pusherSecret = "s".repeat(20);

it("the table of access has every route", async () => {
  const ids = { cleoId: "", guestId: "", appId: "", linkId: "", embedId: "", inviteId: "" };
  const scene: Scene = {
    ...ids,
    siteTagId: "",
    markId: "",
    receiverId: "",
    ruleId: "",
    tokenId: "",
    socketId: "",
  };
  assert.deepEqual(Object.keys(table(scene)).sort(), await routesOfFiles());
});

for (const admitsGuests of [false, true]) {
  describe(`access where guests are ${admitsGuests ? "" : "not "}admitted`, () => {
    let server: Rollcall;
    let ada: HttpVisitor;
    let cleo: HttpVisitor;
    let scene: Scene;
    let callers: Caller[];
    /** What only those can read who may see people. */
    let secrets: string[];
    /** What only admins can read. */
    let hidden: string[];

    beforeAll(async () => {
      server = await Rollcall.start({
        PUSHER_APP_KEY: key,
        PUSHER_APP_SECRET: pusherSecret,
        ADMIT_GUESTS: String(admitsGuests),
        ...mailSettings,
      });
      [ada, , cleo] = await moveIn(server, "user");
      callers = await callersOf(server, ada, admitsGuests);
      const guestId = admitsGuests ? (await guestOf(server)).id : `guest-${"0".repeat(32)}`;
      const { id: linkId, token: linkToken } = await makeLink(ada);
      const { id: embedId, token: embedToken } = await makeEmbed(ada);
      const { id: siteTagId, token: siteToken } = await makeSiteTag(ada);
      const { id: tokenId } = await makeToken(ada);
      const receiverId = await makeReceiver(ada);
      const ruleId = await makeRule(ada);
      const markId = await makeMark(ada);
      const appId = await addApp(ada, "Chat");
      const { appSecret } = (await readSecretsFile(server.dataFolder))!;
      const [chat] = rowsOf(server, "app");
      const webhookUrl = "https://hooks.example.com/of-the-alert";
      const alert = {
        enabled: "on",
        users: "1000",
        direction: "up",
        holdSeconds: "60",
        webhookUrl,
      };
      assert.equal((await ada.submit("/admin/settings/alert", alert)).status, 303);
      hidden = [
        pusherSecret,
        appSecret,
        String(chat.secret),
        webhookUrl,
        linkToken,
        embedToken,
        siteToken,
      ];
      const inviteId = await makeInvite(ada);
      const cleoId = await userId(ada, cleoAccount);
      const ids = {
        cleoId,
        guestId,
        appId,
        linkId,
        embedId,
        siteTagId,
        markId,
        receiverId,
        ruleId,
        tokenId,
        inviteId,
      };
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
            if (isGranted(caller, sample)) continue;
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
        const { status, text } = await visitor.send(
          "GET",
          "/admin/settings/team",
          undefined,
          accept,
        );
        assert.equal(status, 403, what);
        assert.equal(JSON.parse(text).reason, isSignedIn ? "forbidden" : "not_signed_in", what);
      }
    });

    /** The routes below `/admin` that a page links to or has a form for, and that refuse the reader. */
    function refusedIn(page: string, caller: Caller): string[] {
      const links = [...page.matchAll(/<a [^>]*href="(\/admin[^"?#]*)/g)]
        .map(([, path]) => `GET ${path}`);
      const forms = [...page.matchAll(/<form [^>]*method="post"[^>]*action="(\/admin[^"?#]*)/g)]
        .map(([, path]) => `POST ${path}`);
      const routes = Object.entries(table(scene)).map(([route, [sample]]) => ({
        pattern: new RegExp(`^${route.replaceAll(/\[\w+\]/g, "[^/]+")}$`),
        sample,
      }));
      return [...links, ...forms].filter((request) => {
        const route = routes.find(({ pattern }) => pattern.test(request));
        assert.ok(route, request);
        return !isGranted(caller, route.sample);
      });
    }

    it("is granted to viewers and moderators where their role permits it, without a secret or a way to what it does not", async () => {
      const granted: string[] = [];
      for (const caller of callers.filter(({ isLimited }) => !isLimited)) {
        await caller.visitor.get("/account");
        for (const [route, { length }] of Object.entries(table(scene))) {
          for (let index = 0; index < length; index++) {
            const isOfPerson = route.startsWith("POST /admin/people");
            const isWanted = isGranted(caller, table(scene)[route][index]);
            if (!isWanted || JSON.stringify(table(scene)[route][index]).includes(scene.guestId)) {
              continue;
            }
            const person = isOfPerson ? await onlineUser(server, ada, granted.length) : null;
            const sample = table({ ...scene, ...person && { cleoId: person.id } })[route][index];
            const answer = await ask(caller.visitor, sample);
            const request = `${caller.what}: ${route} ${JSON.stringify(sample.fields ?? "")}`;
            assert.ok(answer.status < 400, `${request}: ${answer.status}`);
            assert.doesNotMatch(answer.headers.get("location") ?? "", /problem=|sign-in/, request);
            for (const one of hidden) assert.ok(!answer.text.includes(one), `${request}: ${one}`);
            for (const refused of refusedIn(answer.text, caller)) {
              assert.fail(`${request} offers ${refused}`);
            }
            granted.push(`${caller.role} ${route}`);
            await person?.tab.close();
          }
        }
      }
      assert.ok(granted.includes("viewer GET /admin/online"));
      assert.ok(granted.includes("moderator POST /admin/people/[id]/block"));
    });

    it("is refused to moderators who block an account with a role, and its pages stay", async () => {
      const { visitor } = callers.find(({ what }) => what === "a moderator")!;
      const adaId = await userId(ada, adaAccount);
      const before = keptState(server);
      await visitor.get("/");
      const { headers, status } = await visitor.submit(`/admin/people/${adaId}/block`, {});
      assert.equal(status, 303);
      assert.equal(headers.get("location"), `/admin/people/${adaId}?problem=admins_only`);
      assert.equal(keptState(server), before);
    });

    it("is granted to an admin everywhere", async () => {
      for (const [route, samples] of Object.entries(table(scene))) {
        if (!route.startsWith("GET /admin")) continue;
        for (const { path } of samples.slice(0, 1)) {
          assert.ok((await ada.get(path)).status < 400, path);
        }
      }
      const { text } = await ada.get("/admin/settings/team");
      for (const secret of secrets) assert.ok(hasWord(text, secret), secret);
    });
  });
}

/** Whether a word stands by itself in a text: a random token can contain a short name. */
function hasWord(text: string, word: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`).test(text);
}

/** The least role that gives access; absent where roles do not matter, or only admins have it. */
const least: Partial<Record<Access, Role>> = {
  viewer: "viewer",
  joining: "viewer",
  moderator: "moderator",
};

/** Whether a caller has access by a role below the admin's. */
function isGranted({ role }: Caller, { access }: Sample): boolean {
  const { [access]: needed } = least;
  return role !== null && needed !== undefined && roles.indexOf(role) >= roles.indexOf(needed);
}

/** Adds a user who is online. */
async function onlineUser(server: Rollcall, admin: HttpVisitor, number: number) {
  const account = {
    name: `Pia${number}`,
    email: `pia${number}@example.com`,
    role: "user",
  } as const;
  const [visitor] = await addSignedIn(server, [account]);
  await visitor.get("/");
  const tab = await AdmittedSocket.connect(server, key, visitor);
  const id = await userId(admin, account);
  await tab.join("presence-chart");
  await tab.join(visitorChannel(id));
  return { id, tab };
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
  if (access === "signing" || access === "no caller" || access === "joining") {
    return assert.equal(status, access === "signing" && caller.isCounted ? 200 : 403, request);
  }
  if (access === "counted" && caller.isCounted) return assert.equal(status, 200, request);
  if (access === "counted" && caller.isBlocked) return assert.equal(status, 403, request);
  if (["admin", "moderator", "viewer"].includes(access) && caller.isSignedIn) {
    return assert.equal(status, 403, request);
  }
  assert.equal(status, 303, request);
  assert.match(location, /^\/sign-in\?return=/, request);
}
