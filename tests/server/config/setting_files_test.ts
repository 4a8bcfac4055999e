import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig, readConfig, readEnvFile } from "@/server/config/config.ts";
import { type KeptSecrets, secretsInFolder } from "@/server/config/stored_secrets.ts";
import { routePatterns } from "../../fixtures/route_files.ts";

describe("a file .env", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  async function read(text: string) {
    await Deno.writeTextFile(join(folder, ".env"), text);
    return { ...readEnvFile(join(folder, ".env")) };
  }

  it("is read as editors on Windows write it", async () => {
    assert.deepEqual(
      await read('\uFEFFAPP_URL=https://a.example\r\n# more\r\n\r\nAPP_KEY="k"\r\n'),
      { APP_URL: "https://a.example", APP_KEY: "k" },
    );
  });

  it("has values with other variables of the file, as Laravel's has", async () => {
    const text = 'K="kq7wz0"\nREVERB_APP_KEY="${K}"\nPUSHER_APP_KEY=${K}.${K}\nX="${HOME}$K"\n';
    assert.deepEqual(await read(text), {
      K: "kq7wz0",
      REVERB_APP_KEY: "kq7wz0",
      PUSHER_APP_KEY: "kq7wz0.kq7wz0",
      X: "${HOME}$K",
    });
  });

  it("need not be there", () => {
    assert.deepEqual(readEnvFile(join(folder, ".env")), {});
  });

  it("has what the environment does not give", async () => {
    const path = join(folder, ".env");
    await Deno.writeTextFile(path, "PORT=8001\nHOST=192.0.2.1\n");
    const { port, host } = readConfig(path, { PORT: "8002" });
    assert.deepEqual([port, host], [8002, "192.0.2.1"]);
  });

  it("is named as where a setting is from, which is listed without the value of a secret", async () => {
    const path = join(folder, ".env");
    await Deno.writeTextFile(path, "PORT=8001\nATTENDANCE_DAYS=7\nMAIL_FROM=\nHOME=/here\n");
    const { given } = readConfig(path, {
      PORT: "8002",
      METRICS_TOKEN: "a-token-of-32-characters-or-more",
    });
    assert.deepEqual(given, [
      { name: "PORT", value: "8002", from: "environment" },
      { name: "ATTENDANCE_DAYS", value: "7", from: ".env" },
      { name: "METRICS_TOKEN", value: undefined, from: "environment" },
    ]);
  });

  it("that cannot be read is told in one line", () => {
    assert.throws(() => readEnvFile(folder), (error) => {
      assert(error instanceof ConfigError);
      assert.deepEqual(error.problems, [
        `${folder}: cannot be read; expected a text file, or none`,
      ]);
      return true;
    });
  });
});

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

describe("APP_URL", () => {
  for (
    const [given, href, basePath] of [
      ["https://a.example", "https://a.example/", ""],
      ["https://a.example/", "https://a.example/", ""],
      ["https://a.example/rollcall", "https://a.example/rollcall", "/rollcall"],
      ["https://a.example:8443/a/b.c/", "https://a.example:8443/a/b.c", "/a/b.c"],
      ["https://a.example/app", "https://a.example/app", "/app"],
    ]
  ) {
    it(`has the path "${basePath}" for ${given}`, () => {
      const { appUrl, ...config } = parseConfig({ APP_URL: given });
      assert.deepEqual([appUrl.href, config.basePath], [href, basePath]);
    });
  }

  for (
    const given of [
      "https://a.example/x?y=1",
      "https://a.example/?",
      "https://a.example/x#y",
      "https://a.example/x%20y",
      "https://a.example/x//y",
      "https://a:b@a.example/x",
      "https://:b@a.example/x",
      "ftp://a.example",
      "//a.example/x",
    ]
  ) {
    it(`is refused with one line for ${given}`, () => {
      assert.deepEqual(problemsOf(given), [
        `APP_URL: "${given}" is not allowed; expected an http:// or https:// address, with at most ` +
        "a path of letters, digits or ._~-",
      ]);
    });
  }

  it("is refused when its path begins like one of Rollcall's own", () => {
    const folder = fileURLToPath(new URL("../../../routes", import.meta.url));
    const names = routePatterns(folder).map((pattern) => pattern.split("/")[1]).filter(Boolean);
    assert.ok(names.length > 10);
    for (const name of [...names, "apps", "embed", "site", "up", "metrics", "_fresh"]) {
      const [problem, ...more] = problemsOf(`https://a.example/${name}/rollcall`);
      assert.match(
        problem,
        /expected a path that does not begin like Rollcall's own: _fresh, account, admin/,
      );
      assert.deepEqual(more, []);
    }
  });
});

function problemsOf(url: string): string[] {
  try {
    parseConfig({ APP_URL: url });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
