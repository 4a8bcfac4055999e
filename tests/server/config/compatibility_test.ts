import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Config, ConfigError, parseConfig, servesHttps } from "@/server/config/config.ts";
import { soketiFields } from "@/server/config/external_app_fields.ts";
import { servedApps } from "@/server/config/served_apps.ts";
import { soketiVariables } from "@/server/config/compatibility.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";

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
    // Which variables are given is told as it is.
    const both = read({ ...app, ...equal });
    assert.deepEqual({ ...both, given: [] }, { ...read(app), given: [] });
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

const soketiApp = {
  SOKETI_DEFAULT_APP_ID: "shop",
  SOKETI_DEFAULT_APP_KEY: "shop-key",
  SOKETI_DEFAULT_APP_SECRET: "wq3Zr8kT0nVd5yLb",
};

function problems(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("the settings of Soketi's default app", () => {
  it("are the app of Rollcall's own pages, with its rules", () => {
    const config = parseConfig({
      ...soketiApp,
      SOKETI_DEFAULT_APP_ENABLE_CLIENT_MESSAGES: "true",
      SOKETI_DEFAULT_APP_ENABLED: "1",
      SOKETI_DEFAULT_APP_MAX_CONNS: "200",
      SOKETI_DEFAULT_APP_MAX_CLIENT_EVENTS_PER_SEC: "-1",
      SOKETI_DEFAULT_APP_MAX_BACKEND_EVENTS_PER_SEC: "50",
      SOKETI_DEFAULT_APP_MAX_READ_REQ_PER_SEC: "-1",
      SOKETI_DEFAULT_APP_USER_AUTHENTICATION: "true",
      SOKETI_DEFAULT_APP_WEBHOOKS:
        '[{"url":"https://shop.example.com/hook","event_types":["cache_miss"]}]',
    });
    const [own, ...others] = servedApps(config);
    assert.deepEqual(others, []);
    const { id, key, secret, clientEvents, maxConnections, clientEventsPerSecond } = own;
    assert.deepEqual([id, key, secret], Object.values(soketiApp));
    assert.deepEqual([clientEvents, maxConnections, clientEventsPerSecond], [true, 200, 0]);
    assert.equal(own.joinTimeoutMs, 30_000);
    const events = ["cache_miss"];
    assert.deepEqual(own.webhooks, [{ url: "https://shop.example.com/hook", events }]);
    assert.deepEqual(config.appList?.ignored, ["maxBackendEventsPerSecond"]);
  });

  it("are none without id, key and secret", () => {
    const rest = { SOKETI_DEFAULT_APP_ID: "", SOKETI_DEFAULT_APP_ENABLED: "true" };
    assert.equal(parseConfig(rest).appList, undefined);
  });

  it("are refused with the secret of Soketi's documents, and beside a list", () => {
    assert.deepEqual(problems({ ...soketiApp, SOKETI_DEFAULT_APP_SECRET: "app-secret" }), [
      "SOKETI_DEFAULT_APP_*: [0].secret (app shop): (secret, not shown) is not allowed; expected at " +
      "least 16 characters: `openssl rand -hex 32` makes one",
    ]);
    for (const list of ["APPS", "APPS_FILE"]) {
      assert.deepEqual(problems({ ...soketiApp, [list]: "[]" }), [
        `SOKETI_DEFAULT_APP_*: given, but ${list} is too; expected one of them`,
      ]);
    }
  });

  it("have a field each that is documented", () => {
    for (const field of Object.values(soketiVariables)) assert.ok(field in soketiFields, field);
  });
});

/** Where the pages of an installation connect, or the lines with which it does not start. */
function connectsTo(environment: Environment): string | string[] {
  try {
    const { pusher } = parseConfig(environment);
    if (!usesExternalServer(pusher)) return "Rollcall";
    return pusher.host ?? `cluster ${pusher.cluster}`;
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const own = {
  PUSHER_APP_KEY: "key-of-the-shop",
  PUSHER_APP_SECRET: "wq3Zr8kT0nVd5yLb",
};
const hosted = { ...own, PUSHER_APP_KEY: "0123456789abcdef0123" };
const reverb = {
  REVERB_APP_ID: "123456",
  REVERB_APP_KEY: "0123456789abcdef0123",
  REVERB_APP_SECRET: "wq3Zr8kT0nVd5yLb",
  REVERB_HOST: "ws.example.com",
};
const site = { APP_URL: "https://rollcall.example.com" };

const rows: [environment: Environment, expected: string | string[]][] = [
  [{}, "Rollcall"],
  [own, "Rollcall"],
  // The cluster.
  [{ PUSHER_APP_CLUSTER: "mt1" }, "Rollcall"],
  [{ PUSHER_APP_CLUSTER: "eu" }, "Rollcall"],
  [{ ...own, PUSHER_APP_CLUSTER: "self" }, "Rollcall"],
  [{ ...own, PUSHER_APP_CLUSTER: "mt1" }, "Rollcall"],
  [{ ...own, PUSHER_APP_CLUSTER: "eu" }, "cluster eu"],
  [{ ...hosted, PUSHER_APP_CLUSTER: "self" }, "Rollcall"],
  [{ ...hosted, PUSHER_APP_CLUSTER: "mt1" }, "cluster mt1"],
  [{ ...hosted, PUSHER_APP_CLUSTER: "eu" }, "cluster eu"],
  // A host that is this server, by its public address, its port, or the address it listens on.
  [{ ...own, ...site, PUSHER_HOST: "rollcall.example.com" }, "Rollcall"],
  [{ ...own, ...site, PUSHER_HOST: "Rollcall.Example.com", PUSHER_PORT: "443" }, "Rollcall"],
  [{ ...own, ...site, PUSHER_HOST: "rollcall.example.com", PUSHER_PORT: "8000" }, "Rollcall"],
  [
    { ...own, ...site, PUSHER_HOST: "rollcall.example.com", PUSHER_SCHEME: "http" },
    "rollcall.example.com",
  ],
  [{ ...own, PUSHER_HOST: "127.0.0.1", PUSHER_PORT: "8000", PUSHER_SCHEME: "http" }, "Rollcall"],
  [{ ...own, PUSHER_HOST: "localhost", PUSHER_PORT: "8000" }, "Rollcall"],
  [{ ...own, PUSHER_HOST: "[::1]", PUSHER_PORT: "8000" }, "Rollcall"],
  [{ ...own, PUSHER_HOST: "0.0.0.0", PUSHER_PORT: "8000" }, "Rollcall"],
  [{ ...own, HOST: "10.0.0.5", PUSHER_HOST: "10.0.0.5", PUSHER_PORT: "8000" }, "Rollcall"],
  [{ ...own, PORT: "6001", PUSHER_HOST: "localhost", PUSHER_PORT: "6001" }, "Rollcall"],
  [{ PUSHER_HOST: "localhost", PUSHER_PORT: "8000" }, "Rollcall"],
  [
    { ...hosted, ...site, PUSHER_HOST: "rollcall.example.com", PUSHER_APP_CLUSTER: "mt1" },
    "Rollcall",
  ],
  // Another server, also on the same host.
  [{ ...own, PUSHER_HOST: "pusher.example.com" }, "pusher.example.com"],
  [
    { ...own, ...site, PUSHER_HOST: "rollcall.example.com", PUSHER_PORT: "6001" },
    "rollcall.example.com",
  ],
  [{ ...own, PUSHER_HOST: "127.0.0.1", PUSHER_PORT: "6001" }, "127.0.0.1"],
  [{ PUSHER_HOST: "pusher.example.com" }, [
    "PUSHER_APP_KEY: not given, but PUSHER_HOST is; expected that server's",
    "PUSHER_APP_SECRET: not given, but PUSHER_HOST is; expected that server's",
  ]],
  // Reverb's host is never another server, and its settings name no hosted service.
  [reverb, "Rollcall"],
  [{ ...reverb, ...site }, "Rollcall"],
  [{ ...reverb, PUSHER_APP_CLUSTER: "mt1" }, "Rollcall"],
  [{ ...reverb, PUSHER_APP_CLUSTER: "eu" }, "Rollcall"],
  [{ ...reverb, ...site, PUSHER_HOST: "ws.example.com" }, "Rollcall"],
  [{ ...reverb, ...site, PUSHER_HOST: "rollcall.example.com" }, "Rollcall"],
  [{ ...reverb, ...site, PUSHER_HOST: "other.example.com" }, [
    "REVERB_HOST: given, but PUSHER_HOST is too, with another address; expected one of them",
  ]],
];

describe("pages connect to", () => {
  for (const [environment, expected] of rows) {
    const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`).join(" ");
    it(`${expected} with ${given || "no setting"}`, () => {
      assert.deepEqual(connectsTo(environment), expected);
    });
  }
});
