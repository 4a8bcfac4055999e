import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig } from "@/server/config/config.ts";
import { soketiFields } from "@/server/config/external_app_fields.ts";
import { servedApps } from "@/server/config/served_apps.ts";
import { soketiVariables } from "@/server/config/compatibility.ts";

const app = {
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
      ...app,
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
    assert.deepEqual([id, key, secret], Object.values(app));
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
    assert.deepEqual(problems({ ...app, SOKETI_DEFAULT_APP_SECRET: "app-secret" }), [
      "SOKETI_DEFAULT_APP_*: [0].secret (app shop): (secret, not shown) is not allowed; expected at " +
      "least 16 characters: `openssl rand -hex 32` makes one",
    ]);
    for (const list of ["APPS", "APPS_FILE"]) {
      assert.deepEqual(problems({ ...app, [list]: "[]" }), [
        `SOKETI_DEFAULT_APP_*: given, but ${list} is too; expected one of them`,
      ]);
    }
  });

  it("have a field each that is documented", () => {
    for (const field of Object.values(soketiVariables)) assert.ok(field in soketiFields, field);
  });
});
