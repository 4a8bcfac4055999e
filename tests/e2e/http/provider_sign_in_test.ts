import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import {
  type Claims,
  FakeProvider,
  type Forgery,
  rsa,
  signed,
} from "../../fixtures/fake_provider.ts";
import { type Answer, HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { addSignedIn, password } from "../../fixtures/signed_in.ts";

const key = "a-key-of-the-tests";

describe("sign-in with a provider", () => {
  let provider: FakeProvider;
  let server: Rollcall;
  let ada: HttpVisitor;

  beforeAll(async () => {
    provider = FakeProvider.start();
    const app = { PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) };
    server = await Rollcall.start({ ...provider.settings, ...app });
    [ada] = await moveIn(server, "user");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const stranger = () => new HttpVisitor(server.origin);

  const start = (visitor: HttpVisitor, returnTo?: string) => provider.startAt(visitor, returnTo);
  const signIn = (visitor: HttpVisitor, forgery?: Forgery) => provider.signInAt(visitor, forgery);

  /** Everyone has an email and a subject of their own. */
  function person(name: string, groups: string[], more: Record<string, unknown> = {}): Forgery {
    const [sub, email] = [`sub-${name}`, `${name.toLowerCase()}@example.com`];
    return { claims: { sub, email, name, groups, ...more } };
  }

  async function assertSignedIn(visitor: HttpVisitor, answer: Answer): Promise<void> {
    assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/"], answer.text);
    assert.equal((await visitor.get("/account")).status, 200);
  }

  async function assertRefused(
    visitor: HttpVisitor,
    { status, text }: Answer,
    expected: [status: number, text: RegExp],
  ): Promise<void> {
    assert.equal(status, expected[0], text);
    assert.match(text, expected[1]);
    assert.match(text, /href="\/sign-in\/oidc\?return=/, "with the way to try again");
    assert.doesNotMatch(text, /of the provider</, "nothing of the provider's text");
    assert.equal((await visitor.get("/account")).status, 303, "no one is signed in");
  }

  it("has a button, and leads to the page that was asked for, with the role of the group", async () => {
    const eve = stranger();
    const page = await eve.get("/sign-in?return=%2Fadmin%2Fonline");
    assert.match(
      page.text,
      /href="\/sign-in\/oidc\?return=%2Fadmin%2Fonline"[^>]*>Sign in with Example Inc\./,
    );
    const location = await start(eve, "/admin/online");
    const answer = await eve.get(provider.authorize(location));
    assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/admin/online"]);
    assert.equal((await eve.get("/admin/online")).status, 200);
    assert.equal((await eve.get("/admin/messages")).status, 403, "a viewer, and no more");
    const id = await userId(ada, { email: "eve@example.com" });
    const log = (await ada.get(`/admin/activity/admins?target=${id}`)).text;
    assert.match(log, /Signed in with the provider for the first time[^]*Role Viewer/);
  });

  it("holds for as long as the settings say", async () => {
    const visitor = stranger();
    const answer = await signIn(visitor, person("Hours", ["staff"]));
    const cookie = answer.headers.getSetCookie().find((cookie) => cookie.includes("session_token"));
    assert.match(cookie ?? "", /max-age=28800;.*httponly; samesite=lax/i);
  });

  it("opens the account of a verified email, whose role follows the provider", async () => {
    await addSignedIn(server, [{ name: "Lena", email: "lena@example.com", role: "user" }]);
    const before = await userId(ada, { email: "lena@example.com" });
    const lena = stranger();
    await assertSignedIn(lena, await signIn(lena, person("LENA", ["support", "staff"])));
    assert.equal(await userId(ada, { email: "lena@example.com" }), before);
    assert.equal((await lena.get("/admin/messages")).status, 200);
    const log = (await ada.get(`/admin/activity/admins?target=${before}`)).text;
    assert.match(log, /Got another role[^]*User → Moderator[^]*Linked their account/);
  });

  it("knows the person by the provider's id when the email changes", async () => {
    const [first, second] = [stranger(), stranger()];
    await signIn(first, person("Mona", ["staff"]));
    const id = await userId(ada, { email: "mona@example.com" });
    const renamed = person("Mona", ["staff"], { email: "mona.new@example.com" });
    await assertSignedIn(second, await signIn(second, renamed));
    assert.equal(await userId(ada, { email: "mona@example.com" }), id);
  });

  it("does not open an account for another person who got its email", async () => {
    await signIn(stranger(), person("Nora", ["staff"]));
    const other = stranger();
    const answer = await signIn(other, person("Nora", ["staff"], { sub: "another" }));
    await assertRefused(other, answer, [403, /belongs to another person/]);
  });

  it("takes a lost role at the next sign-in, with sessions and sockets", async () => {
    const olga = stranger();
    await assertSignedIn(olga, await signIn(olga, person("Olga", ["rollcall-admins"])));
    assert.equal((await olga.get("/admin/settings/team")).status, 200);
    await using socket = await AdmittedSocket.connect(server, key, olga);
    await socket.join("presence-chart");
    const again = stranger();
    await assertSignedIn(again, await signIn(again, person("Olga", ["staff"])));
    assert.equal(await socket.closeCode(), 4200);
    assert.equal(
      (await olga.get("/admin/settings/team")).status,
      303,
      "the session of before has ended",
    );
    assert.equal((await again.get("/admin/settings/team")).status, 403);
  });

  it("refuses a person without a group, and signs them out everywhere", async () => {
    const paul = stranger();
    await assertSignedIn(paul, await signIn(paul, person("Paul", ["support"])));
    const again = stranger();
    const answer = await signIn(again, person("Paul", ["cooks"]));
    await assertRefused(again, answer, [403, /none of its groups gives you access/]);
    assert.equal((await paul.get("/account")).status, 303);
    const { text } = await ada.get("/admin/settings/team?q=paul%40example.com");
    assert.match(text, /paul@example\.com/);
    const id = await userId(ada, { email: "paul@example.com" });
    assert.match((await ada.get(`/admin/activity/admins?target=${id}`)).text, /Moderator → User/);
    const unknown = stranger();
    const stranger2 = await signIn(unknown, person("Quinn", []));
    await assertRefused(unknown, stranger2, [403, /none of its groups/]);
    assert.doesNotMatch((await ada.get("/admin/settings/team")).text, /quinn@example\.com/);
  });

  it("signs a person who lost all groups out everywhere, also one who had no rights", async () => {
    const account = { name: "Sven", email: "sven@example.com", role: "user" as const };
    await addSignedIn(server, [account]);
    await signIn(stranger(), person("Sven", ["staff"]));
    const id = await userId(ada, account);
    await ada.submit(`/admin/settings/team/${id}/role`, { role: "user" });
    const local = stranger();
    await local.signIn({ ...account, password });
    assert.equal((await local.get("/account")).status, 200);
    const again = stranger();
    await assertRefused(again, await signIn(again, person("Sven", [])), [
      403,
      /none of its groups/,
    ]);
    assert.equal((await local.get("/account")).status, 303);
  });

  it("does not sign a disabled user in", async () => {
    await signIn(stranger(), person("Rita", ["staff"]));
    const id = await userId(ada, { email: "rita@example.com" });
    await ada.submit(`/admin/settings/team/${id}/disable`, {});
    const rita = stranger();
    await assertRefused(rita, await signIn(rita, person("Rita", ["staff"])), [403, /disabled/]);
  });

  it("leaves the only admin the role", async () => {
    const visitor = stranger();
    const asAda = person("Ada", ["staff"]);
    await assertRefused(visitor, await signIn(visitor, asAda), [403, /only admin/]);
    assert.equal((await ada.get("/admin/settings/team")).status, 200);
  });

  it("takes groups and a verified email from UserInfo, too", async () => {
    const visitor = stranger();
    const answer = await signIn(visitor, {
      claims: { sub: "s", email: undefined, email_verified: undefined, groups: undefined },
      userInfo: { email: "tess@example.com", email_verified: true, groups: ["support"] },
    });
    await assertSignedIn(visitor, answer);
    assert.equal((await visitor.get("/admin/messages")).status, 200);
  });

  it("takes a new key of the provider at once, and the old one no more", async () => {
    const old = stranger();
    const location = await start(old);
    const now = Math.floor(Date.now() / 1_000);
    const nonce = new URL(location).searchParams.get("nonce");
    const claims = { iss: provider.origin, aud: "rollcall", sub: "uma", nonce, iat: now };
    const oldToken = provider.sign({
      ...claims,
      exp: now + 300,
      email: "uma@example.com",
      email_verified: true,
      groups: ["staff"],
    });
    provider.rotateKey();
    const visitor = stranger();
    await assertSignedIn(visitor, await signIn(visitor, person("Uma", ["staff"])));
    const late = await old.get(provider.authorize(location, { token: () => oldToken }));
    await assertRefused(old, late, notVerified);
  });

  it("allows for clocks that differ by less than a minute", async () => {
    const now = Math.floor(Date.now() / 1_000);
    for (const [iat, exp] of [[now - 300, now - 30], [now + 30, now + 300]]) {
      const visitor = stranger();
      const nbf = iat;
      await assertSignedIn(visitor, await signIn(visitor, { claims: { iat, exp, nbf } }));
    }
  });

  const notVerified: [number, RegExp] = [400, /could not be verified/];
  const unverified: [number, RegExp] = [403, /has not verified your email/];
  const long = Math.floor(Date.now() / 1_000);
  const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const refusals: Record<string, [forgery: Forgery, expected: [number, RegExp]]> = {
    "of another issuer": [{ claims: { iss: "https://elsewhere.example" } }, notVerified],
    "for another client": [{ claims: { aud: "another-app" } }, notVerified],
    "for several clients, without being the authorized party": [
      { claims: { aud: ["another-app", "rollcall"], azp: "another-app" } },
      notVerified,
    ],
    "with another nonce": [{ claims: { nonce: "another" } }, notVerified],
    "without a nonce": [{ claims: { nonce: undefined } }, notVerified],
    "that has expired": [{ claims: { iat: long - 900, exp: long - 600 } }, notVerified],
    "without an end": [{ claims: { exp: undefined } }, notVerified],
    "without a subject": [{ claims: { sub: undefined } }, notVerified],
    "that no one has signed": [
      { token: (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.` },
      notVerified,
    ],
    "with a signature that is empty": [
      {
        token: (claims) => provider.sign(claims).replace(/[^.]*$/, ""),
      },
      notVerified,
    ],
    "signed with another key": [
      {
        token: (claims) =>
          signed({ alg: "RS256" }, claims, generateKeyPairSync("rsa", rsa).privateKey),
      },
      notVerified,
    ],
    "signed with the client's secret": [{ token: (claims) => withSecret(claims) }, notVerified],
    "whose claims were changed after the signature": [
      {
        token: (claims) => {
          const [header, , signature] = provider.sign(claims).split(".");
          return [header, encoded({ ...claims, groups: ["rollcall-admins"] }), signature].join(".");
        },
      },
      notVerified,
    ],
    "with an email that is not verified": [{ claims: { email_verified: false } }, unverified],
    "that does not say whether the email is verified": [
      { claims: { email_verified: undefined } },
      unverified,
    ],
    "that says so of another email, in UserInfo": [
      { claims: { email_verified: undefined }, userInfo: { email_verified: true } },
      unverified,
    ],
    "of one person with UserInfo of another": [{ userInfo: { sub: "ada" } }, notVerified],
  };

  function withSecret(claims: Claims): string {
    const content = `${encoded({ alg: "HS256" })}.${encoded(claims)}`;
    const secret = provider.settings.OIDC_CLIENT_SECRET;
    return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
  }

  for (const [what, [forgery, expected]] of Object.entries(refusals)) {
    it(`refuses an ID token ${what}`, async () => {
      const visitor = stranger();
      await assertRefused(visitor, await signIn(visitor, forgery), expected);
    });
  }

  it("refuses an answer that was used before, also in a copy of the browser", async () => {
    const victim = stranger();
    const path = provider.authorize(await start(victim));
    const copy = stranger();
    for (const [name, value] of victim.cookies) copy.cookies.set(name, value);
    await assertSignedIn(victim, await victim.get(path));
    const { exchanges } = provider;
    await assertRefused(copy, await copy.get(path), [400, /already used/]);
    assert.equal(provider.exchanges, exchanges, "the provider is not asked");
    const again = await victim.get(path);
    assert.equal(again.status, 400);
    assert.match(again.text, /began in another browser/);
  });

  it("refuses an answer to another browser's sign-in", async () => {
    const attacker = stranger();
    const path = provider.authorize(await start(attacker));
    const victim = stranger();
    await assertRefused(victim, await victim.get(path), [400, /began in another browser/]);
    const busy = stranger();
    await start(busy);
    await assertRefused(busy, await busy.get(path), notVerified);
    const own = provider.authorize(await start(busy)).replace(/state=[^&]*/, "state=another");
    await assertRefused(busy, await busy.get(own), notVerified);
  });

  it("says that the provider refused, and nothing of its text", async () => {
    const visitor = stranger();
    const state = new URL(await start(visitor)).searchParams.get("state")!;
    const query = new URLSearchParams({
      error: "access_denied",
      error_description: "<b>of the provider</b>",
      state,
    });
    const answer = await visitor.get(`/sign-in/oidc/callback?${query}`);
    await assertRefused(visitor, answer, [403, /Example Inc\. did not sign you in/]);
  });

  it("is not there without a provider", async () => {
    await using plain = await Rollcall.start();
    const visitor = new HttpVisitor(plain.origin);
    assert.doesNotMatch((await visitor.get("/sign-in")).text, /Sign in with/);
    assert.equal((await visitor.get("/sign-in/oidc")).status, 404);
    assert.equal((await visitor.get("/sign-in/oidc/callback?code=x&state=y")).status, 404);
  });

  it("a provider that is another issuer than the settings say, or that is away, signs no one in", async () => {
    const away = FakeProvider.start();
    away.issuerStated = "https://elsewhere.example";
    await using lost = await Rollcall.start(away.settings);
    const visitor = new HttpVisitor(lost.origin);
    for (let time = 0; time < 2; time++) {
      const { status, text } = await visitor.get("/sign-in/oidc");
      assert.equal(status, 502);
      assert.match(text, /Example Inc\. does not answer/);
      if (time === 0) await away[Symbol.asyncDispose]();
    }
  });
});
