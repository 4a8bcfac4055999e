import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import deno from "@/deno.json" with { type: "json" };
import { PackedClient } from "../../fixtures/packed_client.ts";

/** What the client may weigh, in bytes, compressed. */
const mostBytes = 3_072;

describe("the client package, packed and installed", () => {
  let client: PackedClient;
  beforeAll(async () => {
    client = await PackedClient.install();
  });
  afterAll(() => client?.[Symbol.asyncDispose]());

  for (const file of ["rollcall.js", "rollcall.min.js"]) {
    it(`has at most ${mostBytes} bytes in ${file}, compressed`, async () => {
      const { length } = gzipSync(await client.read(`dist/${file}`), { level: 9 });
      assert.ok(length > 1_000 && length <= mostBytes, `${length} bytes`);
    });
  }

  it("depends on nothing, and installs nothing else", async () => {
    const manifest = JSON.parse(await client.read("package.json"));
    assert.equal(manifest.dependencies, undefined);
    assert.deepEqual(Object.keys(manifest.peerDependencies), ["react", "svelte", "vue"]);
    for (const name of Object.keys(manifest.peerDependencies)) {
      assert.deepEqual(manifest.peerDependenciesMeta[name], { optional: true }, name);
    }
    const installed = [...Deno.readDirSync(client.modules)].map(({ name }) => name);
    assert.deepEqual(installed.filter((name) => !name.startsWith(".")), ["@rollcall"]);
  });

  it("has the version of Rollcall, and each file that its manifest names", async () => {
    const { version, exports, ...manifest } = JSON.parse(await client.read("package.json"));
    assert.equal(version, deno.version);
    const named = JSON.stringify([exports, manifest]).match(/(?<=")\.\/[\w./]+(?=")/g) ?? [];
    const files = new Set(named.filter((path) => /\.\w+$/.test(path)));
    assert.equal(files.size, 9, [...files].join());
    for (const path of files) assert.ok((await client.read(path)).length > 0, path);
    assert.match(await client.read("README.md"), /^# @rollcall\/client/);
    assert.match(await client.read("LICENSE"), /MIT/);
  });

  it("is imported by Node, whose server renders pages, without a browser", async () => {
    const program = `import { rollcall } from "@rollcall/client";
      import { online } from "@rollcall/client/svelte";
      online(() => window.Echo, "chart").subscribe((known) => console.log(JSON.stringify(known)));
      console.log(typeof rollcall);`;
    const { stdout, stderr } = await new Deno.Command("node", {
      args: ["--input-type=module", "--eval", program],
      cwd: client.project,
    }).output();
    const decoder = new TextDecoder();
    assert.equal(decoder.decode(stderr), "");
    assert.equal(decoder.decode(stdout), '{"count":null,"members":[]}\nfunction\n');
  });

  it("has one client for all its modules", async () => {
    for (const file of ["react.js", "vue.js", "svelte.js"]) {
      assert.match(await client.read(`dist/${file}`), /from"\.\/rollcall\.js"/);
    }
  });

  it("has types that take Echo and pusher-js, and refuse what is wrong", async () => {
    await Deno.writeTextFile(`${client.project}/use.ts`, uses);
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--no-config", "--node-modules-dir=manual", "use.ts"],
      cwd: client.project,
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  });
});

/** What a reader may write, and what the types refuse. */
const uses = `import { rollcall, type Presence } from "@rollcall/client";

interface Info { name: string }
declare const pusher: Parameters<typeof rollcall>[0];
const presence: Presence<Info> = rollcall(pusher).join<Info>("chart", { page: true, activity: 60_000 })
  .onCount((count) => count.toFixed())
  .onMembers((members) => members.map(({ id, info }) => id + info.name))
  .onUpdate(({ info }) => info.name);
rollcall({ connector: {} }).join("chart", { page: () => "/a" });
presence.leave();
// @ts-expect-error: neither Echo nor pusher-js
rollcall({});
// @ts-expect-error: no such option
rollcall(pusher).join("chart", { pages: true });
`;
