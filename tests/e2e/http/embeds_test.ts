import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { changeEmbed, makeEmbed, revokeEmbed } from "../../fixtures/admin_forms.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";

describe("an embed", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "s".repeat(20),
      PRESENCE_GRACE_MS: "0",
      ADMIT_GUESTS: "true",
    });
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("gives everyone the count, without a cookie, and is not counted itself", async () => {
    const embed = await makeEmbed(ada);
    const stranger = new HttpVisitor(server.origin);
    assert.deepEqual(JSON.parse((await stranger.get(embed.json)).text), { users: 0 });
    {
      await using tab = await AdmittedSocket.connect(server, key, ben);
      await tab.join("presence-chart");
      await until(
        async () => (await stranger.get(embed.json)).text === '{"users":1}\n',
        "the count was one",
      );
      assert.match((await stranger.get(embed.svg)).text, /<title>1 online<\/title>/);
      assert.match((await stranger.get(embed.page)).text, /<b>1<\/b> <span [^>]*>online<\/span>/);
    }
    await until(
      async () => (await stranger.get(embed.json)).text === '{"users":0}\n',
      "the count was zero",
    );
    assert.deepEqual([...stranger.cookies.keys()], []);
  });

  it("is cached, can be framed by the listed origins only, and read as set", async () => {
    const embed = await makeEmbed(ada);
    const origin = "https://status.example.com";
    await changeEmbed(ada, embed, { label: "players", origins: origin, readers: "listed" });
    const stranger = new HttpVisitor(server.origin);
    const page = await stranger.get(embed.page);
    assert.match(page.text, /players/);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.ok(policy.endsWith(`frame-ancestors ${origin}`), policy);
    assert.match(policy, /script-src 'sha256-[^']+';/);
    assert.equal(page.headers.get("x-frame-options"), null);
    const json = await stranger.send("GET", embed.json, undefined, { origin });
    assert.equal(json.headers.get("access-control-allow-origin"), origin);
    assert.equal(json.headers.get("cache-control"), "public, max-age=10");
    const etag = json.headers.get("etag") ?? "";
    const same = await stranger.send("GET", embed.json, undefined, { "if-none-match": etag });
    assert.deepEqual([same.status, same.text], [304, ""]);
    assert.equal(same.headers.get("cache-control"), "public, max-age=10");
  });

  it("is not found once revoked, alike for tokens that never existed", async () => {
    const embed = await makeEmbed(ada, "Old site");
    const question = await ada.submit(`/admin/settings/embeds/${embed.id}/revoke`, {
      confirmed: "",
    });
    assert.match(question.text, /Revoke Old site\?/);
    await revokeEmbed(ada, embed);
    const stranger = new HttpVisitor(server.origin);
    const answers = [];
    for (const token of [embed.token, "x".repeat(65), "x", "%00"]) {
      for (const ending of ["", ".json", ".svg"]) {
        const { status, text, headers } = await stranger.get(`/embed/${token}${ending}`);
        answers.push([status, text, headers.get("cache-control")]);
      }
    }
    for (const answer of answers) {
      assert.deepEqual(answer, [404, "This link is invalid or has been revoked.\n", "no-store"]);
    }
    assert.equal((await ada.get(`/admin/settings/embeds/${embed.id}`)).status, 404);
    assert.equal((await ada.submit(`/admin/settings/embeds/${embed.id}`, {})).status, 404);
  });

  it("is refused with settings that are not valid, which the form keeps", async () => {
    const { id } = await makeEmbed(ada);
    const fields = { name: "Page", label: "online", origins: "example.com", readers: "any" };
    const { status, text } = await ada.submit(`/admin/settings/embeds/${id}`, fields);
    assert.equal(status, 422);
    assert.match(text, /example\.com is not an origin such as https:\/\/example\.com/);
    assert.match(text, />example\.com<\/textarea>/);
    const unnamed = await ada.submit("/admin/settings/embeds", { name: " " });
    assert.deepEqual([unnamed.status, /Enter a name/.test(unnamed.text)], [422, true]);
  });

  it("is in the admin log when it is made, changed and revoked, without its token", async () => {
    const embed = await makeEmbed(ada, "Audited page");
    await changeEmbed(ada, embed, { name: "Audited page", origins: "https://example.com" });
    await revokeEmbed(ada, embed);
    const { text } = await ada.get("/admin/activity/admins");
    for (const action of ["Created an embed", "Changed an embed", "Revoked an embed"]) {
      assert.ok(text.includes(action), action);
    }
    assert.match(text, /Origins https:\/\/example\.com/);
    assert.ok(!text.includes(embed.token));
    assert.ok(!server.log.includes(embed.token));
  });
});

it("embeds are not available with an external Pusher server", async () => {
  await using server = await Rollcall.start({
    PUSHER_APP_ID: "1",
    PUSHER_APP_KEY: key,
    PUSHER_APP_SECRET: "s".repeat(20),
    PUSHER_APP_CLUSTER: "eu",
  });
  const [ada] = await moveIn(server);
  assert.match(
    (await ada.get("/admin/settings/displays")).text,
    /Wallboards and embeds aren.{1,6}t available/,
  );
  assert.equal((await ada.get(`/embed/${"x".repeat(65)}.json`)).status, 404);
});
