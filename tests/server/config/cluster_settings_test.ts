import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { clusterProblems, workersOn } from "@/server/config/cluster_settings.ts";
import { ConfigError, parseConfig } from "@/server/config/config.ts";

const DATABASE_URL = "postgres://u:p@db/rollcall";
const REDIS_URL = "redis://localhost";
const shared = { DATABASE_URL, REDIS_URL };

function problems(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the settings of several servers", () => {
  it("are one process without Redis when none is given", () => {
    const { redis, workers } = parseConfig({ REDIS_PREFIX: "unused:" });
    assert.deepEqual([redis, workers], [undefined, 1]);
  });

  const addresses = [
    "redis://localhost",
    "redis://localhost:6379/",
    "redis://:secret@10.0.0.1:6380/15",
    "rediss://user:p%2Fw@redis.example.com/0",
    "redis://[::1]:6379/1",
    "redis://user:a,b@localhost",
    "redis://s1:26379/2?name=main,redis://:secret@s2:26379,redis://s3:26379/",
  ];
  for (const address of addresses) {
    it(`accept REDIS_URL ${address}`, () => {
      const { redis } = parseConfig({ DATABASE_URL, REDIS_URL: address });
      assert.deepEqual(redis, { url: address, prefix: "rollcall:" });
    });
  }

  it("take the spaces out between the addresses of Sentinels", () => {
    const list = "redis://s1:26379 , redis://s2:26379";
    const { redis } = parseConfig({ DATABASE_URL, REDIS_URL: list });
    assert.equal(redis?.url, "redis://s1:26379,redis://s2:26379");
  });

  const foreign = [
    "localhost:6379",
    "http://user:hunter2@localhost",
    "redis://",
    "redis:///1",
    "redis://user:hunter2@localhost:port",
    "redis://:hunter2@localhost/one",
    "redis://:hunter2@localhost/1/2",
    "redis://:hunter2@localhost#1",
    "redis://:hunter2@localhost?db=1",
    "redis://:hunter2@a:1,b:2",
    "redis://:hunter2@a,b",
    "redis://:hunter2@a,",
    "redis://:hunter2@a,http://b",
    "redis://:hunter2@a,rediss://b",
    "redis://:hunter2@a,redis://:other@b",
    "redis://:hunter2@a/1,redis://b/2",
    "redis://:hunter2@a?name=one,redis://b?name=two",
    "redis://:hunter2%@a",
    "redis://:hunter2@a?name=",
    "redis://:hunter2@a b",
  ];
  for (const address of foreign) {
    it(`refuse REDIS_URL ${address} with one line that does not show it`, () => {
      const lines = problems({ DATABASE_URL, REDIS_URL: address });
      assert.equal(lines.length, 1);
      assert.match(lines[0], /^REDIS_URL: \(secret, not shown\) is not allowed; expected .*redis:/);
      assert.doesNotMatch(lines[0], /hunter2/);
    });
  }

  it("accept a REDIS_PREFIX of 1 to 64 letters, digits or .:_-, and no other", () => {
    for (const REDIS_PREFIX of ["r", "Shop_1.live-eu:", "x".repeat(64)]) {
      assert.equal(parseConfig({ ...shared, REDIS_PREFIX }).redis?.prefix, REDIS_PREFIX);
    }
    for (const REDIS_PREFIX of ["a b", "a*", "{a}", "ä", "a\nb", "x".repeat(65)]) {
      assert.equal(problems({ ...shared, REDIS_PREFIX }).length, 1, REDIS_PREFIX);
    }
  });

  it("accept WORKERS from 1 to 64, or auto for one per core, with the embedded database and with Redis", () => {
    for (const [WORKERS, workers] of [["1", 1], ["2", 2], ["64", 64]] as const) {
      assert.equal(parseConfig({ ...shared, WORKERS }).workers, workers);
      assert.equal(parseConfig({ WORKERS }).workers, workers);
    }
    assert.equal(
      parseConfig({ ...shared, WORKERS: "Auto" }).workers,
      Math.min(navigator.hardwareConcurrency, 64),
    );
    assert.deepEqual([0, 1, 8, 96].map((cores) => workersOn(cores, "auto")), [1, 1, 8, 64]);
    for (const WORKERS of ["0", "65", "-1", "1.5", "all", "2x"]) {
      assert.deepEqual(problems({ ...shared, WORKERS }), [
        `WORKERS: "${WORKERS}" is not allowed; expected auto, or a whole number from 1 to 64`,
      ]);
    }
  });

  const external = {
    PUSHER_APP_KEY: "key-of-the-shop",
    PUSHER_APP_SECRET: "wq3Zr8kT0nVd5yLb",
    PUSHER_HOST: "ws.example.com",
  };
  const contradictions: [Record<string, string>, RegExp][] = [
    [{ REDIS_URL }, /^DATABASE_URL: not given, but REDIS_URL is; expected .*postgres:\/\//],
    [
      { ...shared, ...external },
      /^REDIS_URL: given, but the external server counts; expected none$/,
    ],
    [
      { DATABASE_URL, WORKERS: "auto" },
      /^WORKERS: "auto" is not allowed with DATABASE_URL and without REDIS_URL; expected 1, /,
    ],
    [{ ...external, WORKERS: "2" }, /^WORKERS: "2" is not allowed as the external server counts; /],
    [{ ...shared, WORKERS: "2", PORT: "0" }, /^PORT: "0" is not allowed with several WORKERS/],
  ];
  for (const [environment, line] of contradictions) {
    it(`are refused with one line: ${Object.keys(environment).join()}`, () => {
      const lines = problems(environment);
      assert.equal(lines.length, 1, lines.join("\n"));
      assert.match(lines[0], line);
    });
  }

  it("refuse several workers on a system that does not spread the connections of a port", () => {
    const settings = {
      ...shared,
      HOST: "::1",
      PORT: 8000,
      COUNTED_CHANNELS: [],
      ...{ PUSHER_SCHEME: "http", REVERB_SCHEME: "http" } as const,
    };
    assert.deepEqual(clusterProblems({ ...settings, WORKERS: 2 }, "linux"), []);
    assert.deepEqual(clusterProblems({ ...settings, WORKERS: 1 }, "darwin"), []);
    assert.match(
      clusterProblems({ ...settings, WORKERS: 2 }, "darwin").join(),
      /^WORKERS: "2" is not allowed on this system; expected 1, or Linux$/,
    );
  });
});

describe("the settings on Deno Deploy", () => {
  const deployed = {
    DENO_DEPLOY: "1",
    APP_URL: "https://rollcall.example.com",
    DATABASE_URL,
  };

  it("need SINGLE_INSTANCE without REDIS_URL only", () => {
    assert.match(problems(deployed).join(), /^SINGLE_INSTANCE: .*expected true.* or REDIS_URL$/);
    assert.deepEqual(problems({ ...deployed, REDIS_URL }), []);
    assert.deepEqual(problems({ ...deployed, SINGLE_INSTANCE: "true" }), []);
  });

  it("allow one worker, because the platform starts instances", () => {
    assert.match(
      problems({ ...deployed, REDIS_URL, WORKERS: "2" }).join(),
      /^WORKERS: "2" is not allowed on Deno Deploy/,
    );
  });
});
