import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig } from "@/server/config/config.ts";
import { settingEntries, settings } from "@/server/config/settings.ts";
import { documents } from "@/tools/docs/documents.ts";

describe("the generated documents", () => {
  for (const [path, textOf] of Object.entries(documents)) {
    it(`${path} is what deno task docs writes`, async () => {
      assert.equal(await Deno.readTextFile(path), await textOf(), "Run deno task docs");
    });
  }

  it(".env.example sets nothing as it is", async () => {
    assert.deepEqual(Object.keys(parseEnv(await Deno.readTextFile(".env.example"))), []);
  });

  it(".env.example names every setting once, with a value that is allowed or none", async () => {
    const text = await Deno.readTextFile(".env.example");
    const lines = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gm)];
    assert.deepEqual(lines.map(([, name]) => name).sort(), Object.keys(settings).sort());
    for (const [, name, value] of lines) {
      const { schema } = settings[name as keyof typeof settings];
      if (value !== "") assert.ok(schema.safeParse(value).success, `${name}=${value} is allowed`);
    }
  });
});

describe("an earlier name of a setting", () => {
  const renamed = settingEntries.filter(([, { formerly }]) => formerly !== undefined);

  for (const [name, { formerly = "" }] of renamed) {
    it(`${formerly} is read as ${name}`, () => {
      const { renamed: _, given: __, ...read } = parseConfig({ [name]: "7" });
      for (const both of [{}, { [name]: "7" }]) {
        const { renamed, given: _, ...config } = parseConfig({ [formerly]: "7", ...both });
        assert.deepEqual(config, read);
        assert.deepEqual(renamed, [{ former: formerly, name }]);
      }
    });

    it(`${formerly} with a value that is not allowed is refused under the name ${name}`, () => {
      assert.throws(
        () => parseConfig({ [formerly]: "many" }),
        (error) => error instanceof ConfigError && error.problems[0].startsWith(`${name}: "many"`),
      );
    });
  }
});

describe("the values of secret settings", () => {
  const refused: Record<string, string> = {
    APP_KEY: "hunter2",
    APPS: "hunter2",
    DATABASE_URL: "hunter2",
    METRICS_TOKEN: "hunter2",
    OIDC_CLIENT_SECRET: "hunter2",
    PUSHER_APP_SECRET: "hunter2",
    REDIS_URL: "hunter2",
    REVERB_APP_SECRET: "hunter2",
    SMTP_URL: "hunter2",
    WEBHOOK_URL: "hunter2",
  };

  it("are not printed when they are refused", () => {
    const secrets = settingEntries.filter(([, { secret }]) => secret).map(([name]) => name);
    assert.deepEqual(secrets.sort(), Object.keys(refused).sort());
    for (const name of secrets) {
      assert.throws(
        () => parseConfig({ [name]: refused[name] }),
        (error) => error instanceof ConfigError && !/hunter2/.test(error.problems.join()),
        name,
      );
    }
  });
});
