import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { rollcall } from "../../fixtures/command_line.ts";
import { FakeProvider } from "../../fixtures/fake_provider.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada as adaAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("a provider beside passwords, and without them", () => {
  let provider: FakeProvider;
  let server: Rollcall;
  let ada: HttpVisitor;

  beforeAll(async () => {
    provider = FakeProvider.start();
    server = await Rollcall.start(provider.settings);
    [ada] = await moveIn(server, "user");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const stranger = () => new HttpVisitor(server.origin);

  it("signs out at the provider too, with the way back", async () => {
    const visitor = stranger();
    await provider.signInAt(visitor);
    await visitor.get("/");
    const answer = await visitor.submit("/sign-out", {});
    assert.equal(answer.status, 200);
    const url = new URL(answer.headers.get("refresh")!.match(/^0; url=(.*)/)![1]);
    assert.equal(url.origin + url.pathname, `${provider.origin}/end`);
    const back = url.searchParams.get("post_logout_redirect_uri");
    assert.match(back ?? "", /^http:\/\/localhost:\d+\/sign-in$/);
    assert.match(url.searchParams.get("id_token_hint") ?? "", /^eyJ/);
    assert.match(
      answer.text,
      /Sign out of Example Inc\./,
      "a link, where a browser does not go on",
    );
    assert.equal((await visitor.get("/account")).status, 303);
    const { status, headers } = await ada.submit("/sign-out", {});
    assert.deepEqual([status, headers.get("location")], [303, "/sign-in"], "with a password: here");
  });

  it("can be the only way in, but for links of the command line", async () => {
    await using strict = await Rollcall.start({ ...provider.settings, PASSWORD_SIGN_IN: "false" });
    await moveIn(strict, "user");
    const visitor = new HttpVisitor(strict.origin);
    const page = await visitor.get("/sign-in");
    assert.doesNotMatch(page.text, /type="password"/);
    assert.match(page.text, /Sign in with Example Inc\./);
    const { email, password } = adaAccount;
    const refused = await visitor.submit("/sign-in", { email, password });
    assert.equal(refused.status, 403);
    assert.match(refused.text, /switched off/);
    const environment = { DATA_DIR: strict.dataFolder, ...provider.settings };
    const words = ["user", "reset-password", email, "--link"];
    const { code, stdout } = await rollcall(words, environment);
    assert.equal(code, 0);
    const path = new URL(stdout.trim()).pathname;
    await visitor.get(path);
    const { status } = await visitor.submit(path, { password: "another good password" });
    assert.equal(status, 303);
    assert.equal((await visitor.get("/admin/settings/team")).status, 200);
  });

  it("limits what fails by address, without asking the provider any more", async () => {
    const visitor = stranger();
    const wrong = () => provider.signInAt(visitor, { claims: { nonce: "another" } });
    for (let time = 0; time < 30; time++) assert.equal((await wrong()).status, 400);
    const { exchanges } = provider;
    const answer = await wrong();
    assert.equal(answer.status, 429);
    assert.match(answer.text, /Too many attempts/);
    assert.equal(answer.headers.get("retry-after"), "60");
    assert.equal(provider.exchanges, exchanges);
  });
});
