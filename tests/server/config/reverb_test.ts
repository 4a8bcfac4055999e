import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { type Config, ConfigError, parseConfig, servesHttps } from "@/server/config/config.ts";

type Environment = Record<string, string>;

function read(environment: Environment): Config | string[] {
  try {
    return parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const app = {
  REVERB_APP_ID: "483920",
  REVERB_APP_KEY: "kq7wz0ayv2tn5mxh8r1c",
  REVERB_APP_SECRET: "o3d9bplx6fe1usgj4i7k",
};

/** Addresses of Reverb beside Rollcall's own settings, and what they come to. */
const addresses: [environment: Environment, url: string, host: string, port: number][] = [
  [{}, "http://localhost:8000/", "0.0.0.0", 8_000],
  // What Laravel's installer writes.
  [
    { REVERB_HOST: "localhost", REVERB_PORT: "8080", REVERB_SCHEME: "http" },
    "http://localhost:8080/",
    "0.0.0.0",
    8_080,
  ],
  [{ REVERB_HOST: "localhost" }, "http://localhost:8000/", "0.0.0.0", 8_000],
  [
    { REVERB_HOST: "127.0.0.1", REVERB_PORT: "8080", REVERB_SERVER_PORT: "9000" },
    "http://localhost:9000/",
    "0.0.0.0",
    9_000,
  ],
  // A public address, behind a proxy.
  [{ REVERB_HOST: "ws.example.com" }, "https://ws.example.com/", "0.0.0.0", 8_000],
  [
    {
      REVERB_HOST: "ws.example.com",
      REVERB_PORT: "443",
      REVERB_SCHEME: "https",
      REVERB_SERVER_HOST: "127.0.0.1",
      REVERB_SERVER_PORT: "8080",
    },
    "https://ws.example.com/",
    "127.0.0.1",
    8_080,
  ],
  [
    { REVERB_HOST: "192.168.1.5", REVERB_PORT: "8080", REVERB_SCHEME: "http" },
    "http://192.168.1.5:8080/",
    "0.0.0.0",
    8_000,
  ],
  // The name of a container is not public.
  [{ REVERB_HOST: "reverb", REVERB_PORT: "8080" }, "http://localhost:8000/", "0.0.0.0", 8_000],
  // Rollcall's own settings count.
  [
    {
      APP_URL: "https://rollcall.example.com",
      HOST: "127.0.0.1",
      PORT: "7000",
      REVERB_HOST: "localhost",
      REVERB_PORT: "8080",
      REVERB_SERVER_HOST: "0.0.0.0",
      REVERB_SERVER_PORT: "8080",
    },
    "https://rollcall.example.com/",
    "127.0.0.1",
    7_000,
  ],
];

describe("the settings of Reverb", () => {
  it("name the app of Rollcall's own pages", () => {
    const config = read(app);
    assert.ok("pusher" in config);
    const { appId, key, secret } = config.pusher;
    assert.deepEqual([appId, key, secret], Object.values(app));
  });

  it("may be beside equal and empty ones of Pusher's, in any of the three", () => {
    const equal = {
      PUSHER_APP_ID: app.REVERB_APP_ID,
      PUSHER_APP_KEY: app.REVERB_APP_KEY,
      PUSHER_APP_SECRET: app.REVERB_APP_SECRET,
    };
    assert.deepEqual(read({ ...app, ...equal }), read(app));
    for (const name of Object.keys(equal)) {
      assert.deepEqual(read({ ...app, [name]: "" }), read(app));
    }
  });

  it("are refused with one line for each that differs from Pusher's, without the values", () => {
    const others = {
      PUSHER_APP_ID: "483921",
      PUSHER_APP_KEY: "another-key",
      PUSHER_APP_SECRET: "5kd8ehw0qpv7rmz2n4xc",
    };
    const line = (part: string) =>
      `REVERB_APP_${part}: given, but PUSHER_APP_${part} is too, with another value; expected one ` +
      "of them";
    assert.deepEqual(read({ ...app, ...others }), ["ID", "KEY", "SECRET"].map(line));
    assert.deepEqual(read({ ...app, PUSHER_APP_KEY: others.PUSHER_APP_KEY }), [line("KEY")]);
  });

  it("are refused under their own names", () => {
    assert.deepEqual(
      read({ REVERB_HOST: "https://ws.example.com", REVERB_PORT: "x", REVERB_SERVER_PORT: "x" }),
      [
        'REVERB_HOST: "https://ws.example.com" is not allowed; expected a host name or address, ' +
        "without scheme, port or path",
        'REVERB_PORT: "x" is not allowed; expected a whole number from 1 to 65535',
        'REVERB_SERVER_PORT: "x" is not allowed; expected a whole number from 0 to 65535',
      ],
    );
  });

  for (const [environment, url, host, port] of addresses) {
    it(`come to ${url}, on ${host}:${port}: ${JSON.stringify(environment)}`, () => {
      const config = read(environment);
      assert.ok("pusher" in config, String(config));
      assert.deepEqual([config.appUrl.href, config.host, config.port], [url, host, port]);
      assert.equal(servesHttps(config), url.startsWith("https"));
    });
  }
});
