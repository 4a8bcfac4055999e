import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { type KeptSecrets, secretsInFolder } from "@/server/config/stored_secrets.ts";

describe("the secrets in the data folder", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });

  afterEach(async () => {
    await Deno.remove(folder, { recursive: true });
  });

  async function failure(): Promise<string> {
    try {
      await secretsInFolder(folder);
    } catch (error) {
      return (error as Error).message;
    }
    assert.fail("damaged secrets were accepted");
  }

  it("are generated on the first run, in the form that clients expect", async () => {
    const secrets = await secretsInFolder(folder);
    assert.match(secrets.pusherKey, /^[0-9a-f]{20}$/);
    assert.match(secrets.pusherSecret, /^[0-9a-f]{40}$/);
    assert.match(secrets.pusherAppId, /^[1-9][0-9]+$/);
    assert.match(secrets.appSecret, /^[0-9a-f]{64}$/);
  });

  it("stay the same on later runs", async () => {
    assert.deepEqual(await secretsInFolder(folder), await secretsInFolder(folder));
  });

  it("are read from a folder into which later runs write nothing", async () => {
    await secretsInFolder(folder);
    await Deno.utime(folder, 1, 1);
    await secretsInFolder(folder);
    assert.equal((await Deno.stat(folder)).mtime?.getTime(), 1_000);
  });

  it("differ between installations", async () => {
    const here = await secretsInFolder(folder);
    const there = await secretsInFolder(join(folder, "another"));
    for (const name of Object.keys(here) as (keyof KeptSecrets)[]) {
      assert.notEqual(here[name], there[name]);
    }
  });

  it("are readable only by their owner", async () => {
    await secretsInFolder(join(folder, "new"));
    const file = await Deno.stat(join(folder, "new", "secrets.json"));
    assert.equal(file.mode! & 0o777, 0o600);
    assert.equal((await Deno.stat(join(folder, "new"))).mode! & 0o777, 0o700);
  });

  it("are the same for processes that start at once, and leave no other file", async () => {
    for (let run = 0; run < 20; run++) {
      const runFolder = join(folder, String(run));
      const all = await Promise.all(Array.from({ length: 12 }, () => secretsInFolder(runFolder)));
      for (const one of all) assert.deepEqual(one, all[0]);
      const files = Array.from(Deno.readDirSync(runFolder), (entry) => entry.name);
      assert.deepEqual(files, ["secrets.json"]);
    }
  });

  it("are refused without being printed when the file is not JSON", async () => {
    await Deno.writeTextFile(join(folder, "secrets.json"), "deadbeefdeadbeef");
    const message = await failure();
    assert.match(message, /secrets\.json.*not JSON/);
    assert.doesNotMatch(message, /deadbeef/);
  });

  it("are refused with the name and without the value of a malformed or missing one", async () => {
    const secrets = await secretsInFolder(folder);
    const damaged = { ...secrets, pusherKey: "feedface", appSecret: undefined };
    await Deno.writeTextFile(join(folder, "secrets.json"), JSON.stringify(damaged));
    const message = await failure();
    assert.match(message, /pusherKey: must be 20 lower-case hex digits/);
    assert.match(message, /appSecret/);
    assert.doesNotMatch(message, new RegExp(`feedface|${secrets.pusherSecret}`));
  });
});
