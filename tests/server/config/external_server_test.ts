import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { ConfigError, parseConfig } from "@/server/config/config.ts";

type Environment = Record<string, string>;

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
