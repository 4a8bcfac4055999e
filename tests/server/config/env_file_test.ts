import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigError, readConfig, readEnvFile } from "@/server/config/config.ts";

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
