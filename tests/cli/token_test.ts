import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { rollcall } from "../fixtures/command_line.ts";
import { audited } from "../fixtures/admin_forms.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

describe("rollcall token, while the server runs", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  beforeAll(async () => {
    server = await Rollcall.start();
    [ada] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const run = (...words: string[]) =>
    rollcall(["token", ...words], { DATA_DIR: server.dataFolder });

  async function status(token: string, query = ""): Promise<number> {
    const visitor = new HttpVisitor(server.origin);
    const headers = { authorization: `Bearer ${token}` };
    return (await visitor.send("GET", `/api/v1/online${query}`, undefined, headers)).status;
  }

  it("creates a token that the server knows at once, lists it without the token, and revokes it", async () => {
    const limits = ["--channel", "presence-chart"];
    const created = await run("create", "Shop", "--scope", "count", ...limits);
    assert.equal(created.code, 0, created.stderr);
    const [token] = created.stdout.match(/^rollcall_[A-Za-z0-9_-]{43}(?=\n$)/) ?? [];
    assert.ok(token, created.stdout);
    assert.deepEqual([await status(token), await status(token, "?q=ada")], [200, 403]);
    const { stdout } = await run("list");
    assert.match(
      stdout,
      /^[0-9a-f]{32} {2}Shop {2}count {2}all {2}presence-chart {2}20..-..-.. +20..-..-..$/m,
    );
    assert.ok(!stdout.includes(token));
    assert.match((await ada.get("/admin/settings/api")).text, /by Command line/);
    assert.deepEqual(await run("revoke", "Shop"), {
      code: 0,
      stdout: "Revoked Shop.\n",
      stderr: "",
    });
    assert.equal(await status(token), 401);
    const [revoked, made] = await audited(ada);
    assert.equal(revoked, "Command line Revoked an API token Shop");
    assert.equal(
      made,
      "Command line Created an API token Scope count · Channel presence-chart Shop",
    );
  });

  it("is refused with what does not exist, and says so", async () => {
    for (
      const [code, words, fault] of [
        [2, ["create", "Shop"], /Missing --scope/],
        [
          2,
          ["create", "Shop", "--scope", "all"],
          /scope: Choose count, ids, names, messages, or marks\. Try/,
        ],
        [2, ["create", " ", "--scope", "ids"], /name: Enter a name\. Try/],
        [1, ["revoke", "Nothing"], /No token in .* has the ID or name "Nothing"/],
      ] as const
    ) {
      const result = await run(...words);
      assert.deepEqual([result.code, result.stdout], [code, ""], result.stderr);
      assert.match(result.stderr, fault);
    }
    assert.match((await run("list")).stdout, /^No tokens yet in /);
  });

  it("revokes by ID where several have a name", async () => {
    for (const scope of ["ids", "names"]) await run("create", "Twin", "--scope", scope);
    const refused = await run("revoke", "Twin");
    assert.match(refused.stderr, /2 tokens have the name "Twin": state the ID/);
    const [{ id, scope }] = JSON.parse((await run("list", "--json")).stdout);
    assert.equal((await run("revoke", id)).code, 0);
    const left = JSON.parse((await run("list", "--json")).stdout);
    assert.deepEqual(left.map((one: { scope: string }) => one.scope === scope), [false]);
  });
});
