import assert from "node:assert/strict";
import { beforeEach, it } from "@std/testing/bdd";
import { ApiAccess, ApiError } from "@/server/api/api_access.ts";
import { type ApiToken, type ApiTokenInput, ApiTokens } from "@/server/api/api_tokens.ts";
import { mostApiTokens } from "@/shared/limits.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";

const noon = Date.UTC(2026, 10, 27, 12);
const input: ApiTokenInput = {
  name: "Shop",
  scope: "names",
  app: null,
  channel: null,
  createdBy: "ada",
};
const inTransaction = () => Promise.resolve();

describeOnDatabase("API tokens", (store) => {
  let now: number;
  let tokens: ApiTokens;
  beforeEach(async () => {
    now = noon;
    tokens = new ApiTokens(await store.open(), () => now);
  });

  async function made(change: Partial<ApiTokenInput> = {}) {
    const created = await tokens.create({ ...input, ...change }, inTransaction);
    assert.ok(created.ok, JSON.stringify(created));
    return created;
  }

  /** The status with which a token is refused; 200 when it is let in. */
  async function status(access: ApiAccess, text: string, address = "192.0.2.1"): Promise<number> {
    const headers = new Headers({ authorization: `Bearer ${text}` });
    try {
      await access.authorize(headers, address, "count");
      return 200;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.status;
    }
  }

  it("let in who has one, on every server, until it is revoked on any of them", async () => {
    const other = new ApiTokens(await store.open(), () => now);
    const { token, text } = await made({ app: "7", channel: "presence-desk" });
    const [here, there] = [new ApiAccess(tokens), new ApiAccess(other)];
    const expected: ApiToken = {
      ...input,
      scope: "names",
      id: token.id,
      app: "7",
      channel: "presence-desk",
      createdAt: noon,
      lastUsedAt: null,
    };
    assert.deepEqual(token, expected);
    assert.deepEqual([await status(here, text), await status(there, text)], [200, 200]);
    const noted: string[] = [];
    const note = (_: unknown, { name }: ApiToken) => Promise.resolve(void noted.push(name));
    assert.equal((await other.revoke(token.id, note))?.id, token.id);
    assert.deepEqual([await status(here, text), await status(there, text)], [401, 401]);
    assert.deepEqual([noted, await tokens.list()], [["Shop"], []]);
    assert.equal(await tokens.revoke(token.id, note), null);
  });

  it("give a call its scope and limits, and are refused for calls beyond their scope, or if absent", async () => {
    const { text, token } = await made({ scope: "ids", app: "7" });
    const access = new ApiAccess(tokens);
    const admitted = await access.authorize(bearer(text), "::1", "ids");
    assert.deepEqual([admitted.id, admitted.scope, admitted.app], [token.id, "ids", "7"]);
    const refused = (headers: Headers, status: number, message: RegExp) =>
      assert.rejects(access.authorize(headers, "::1", "names"), { status, message });
    await refused(bearer(text), 403, /needs a token with the scope names; this one has ids/);
    await refused(bearer("x"), 401, /is invalid or has been revoked/);
    await refused(new Headers(), 401, /Send an API token in the header/);
  });

  it("make ten calls at a time, each", async () => {
    const [{ token }, { token: other }] = [await made(), await made()];
    const access = new ApiAccess(tokens);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = Array.from({ length: 10 }, () => access.run(token, () => promise));
    await assert.rejects(access.run(token, () => promise), { retryAfterSeconds: 1 });
    assert.equal(await access.run(other, () => Promise.resolve("done")), "done");
    resolve();
    await Promise.all(running);
    assert.equal(await access.run(token, () => Promise.resolve("done")), "done");
  });

  it("are kept as hashes, and shown once", async () => {
    const { token, text } = await made();
    assert.match(text, /^rollcall_[A-Za-z0-9_-]{43}$/);
    const rows = JSON.stringify(await store.query(`select * from "apiToken"`));
    assert.ok(!rows.includes(text.slice("rollcall_".length)), rows);
    assert.ok(!JSON.stringify([token, await tokens.list()]).includes("Hash"));
    for (const wrong of [text.slice(1), text.slice("rollcall_".length), `${text}x`, token.id, ""]) {
      assert.equal(await tokens.used(wrong), null, wrong);
    }
  });

  it("have their last use recorded at most once a minute, and work while it cannot be", async () => {
    const { text } = await made();
    const used = async (at: number) => {
      now = at;
      await tokens.used(text);
      return (await tokens.list())[0].lastUsedAt;
    };
    assert.equal(await used(noon), noon);
    assert.equal(await used(noon + 59_999), noon);
    assert.equal(await used(noon + 60_000), noon + 60_000);
    const readOnly = new ApiTokens(await store.open(), () => noon + 200_000);
    const refuse = store.engine === "sqlite"
      ? `create trigger refused before update on "apiToken" begin select raise(abort, 'no'); end`
      : `create rule refused as on update to "apiToken" do instead select 1 / 0`;
    await store.query(refuse);
    assert.equal((await readOnly.used(text))?.name, "Shop");
  });

  it("are refused without a name or with a scope that does not exist, and beyond 100", async () => {
    for (const [field, change] of [["name", { name: " " }], ["scope", { scope: "all" }]] as const) {
      const refused = await tokens.create({ ...input, ...change }, inTransaction);
      assert.ok(!refused.ok && refused.reason === "invalid" && refused.field === field);
    }
    for (let count = 0; count < mostApiTokens; count++) await made();
    const refused = await tokens.create(input, inTransaction);
    assert.ok(!refused.ok && refused.reason === "too_many");
  });

  it("are neither made nor revoked without the write beside it", async () => {
    const fails = () => Promise.reject(new Error("cannot be noted"));
    await assert.rejects(tokens.create(input, fails), /cannot be noted/);
    assert.deepEqual(await tokens.list(), []);
    const { token } = await made();
    await assert.rejects(tokens.revoke(token.id, fails), /cannot be noted/);
    assert.deepEqual(await tokens.find(token.id), token);
  });

  it("are limited each, and wrong ones per address, which leaves right ones of it alone", async () => {
    let seconds = 0;
    const access = new ApiAccess(tokens, () => seconds * 1_000);
    const [{ text }, { text: second }] = [await made(), await made()];
    const wrong = `rollcall_${"x".repeat(43)}`;
    for (let count = 0; count < 20; count++) assert.equal(await status(access, wrong), 401);
    assert.equal(await status(access, wrong), 429);
    assert.equal(await status(access, wrong, "192.0.2.2"), 401);
    for (let count = 0; count < 600; count++) await access.authorize(bearer(text), "::1", "count");
    await assert.rejects(access.authorize(bearer(text), "::1", "count"), {
      status: 429,
      headers: { "retry-after": "60" },
    });
    assert.equal(await status(access, second), 200);
    seconds = 61;
    assert.equal(await status(access, text), 200);
  });
});

function bearer(text: string): Headers {
  return new Headers({ authorization: `bearer  ${text}` });
}
