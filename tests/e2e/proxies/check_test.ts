import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { rollcall } from "../../fixtures/command_line.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import type { Report } from "@/server/check/run_check.ts";
import type { Change } from "./documented.ts";
import { Proxies } from "./proxies.ts";

/** Changes after which a proxy forwards no WebSockets; Caddy always forwards them. */
const withoutSockets: Record<string, Change[]> = {
  nginx: [["  proxy_set_header Upgrade $http_upgrade;\n", ""]],
  Apache: [[" upgrade=websocket", ""]],
};

describe("rollcall check through nginx, Apache and Caddy", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start({ APP_URL: "https://localhost", TRUSTED_PROXIES: "127.0.0.1" });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The failed steps behind each proxy. */
  async function failuresBehind(variants: Record<string, Change[]>): Promise<string[][]> {
    await using proxies = await Proxies.before(Number(new URL(server.origin).port), variants);
    const { certFile } = proxies.certificate;
    return await Promise.all(proxies.all.map(async ({ origin }) => {
      const settings = { APP_URL: origin, DATA_DIR: server.dataFolder, DENO_CERT: certFile };
      const { stdout } = await rollcall(["check", "--json", "--idle", "0"], settings);
      const { findings } = JSON.parse(stdout) as Report;
      return findings.filter(({ state }) => state === "failed")
        .map(({ step, found, change }) => `${step}: ${found} ${change}`);
    }));
  }

  it("passes every step with the documented files", async () => {
    assert.deepEqual(await failuresBehind({}), [[], [], []]);
  });

  it("fails at the WebSocket, with a fix, behind a proxy that does not forward the upgrade", async () => {
    const [[nginx], [apache], caddy] = await failuresBehind(withoutSockets);
    assert.match(
      nginx,
      /^upgrade: .*the Upgrade header was lost[^]*nginx: `proxy_http_version 1\.1/,
    );
    assert.match(apache, /^upgrade: .*the Upgrade header was lost[^]*`upgrade=websocket`/);
    assert.deepEqual(caddy, []);
  });
});
