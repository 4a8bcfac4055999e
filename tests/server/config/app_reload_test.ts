import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ReloadableApps, servedApps } from "@/server/config/served_apps.ts";
import { parseConfig } from "@/server/config/config.ts";
import { type AppConfig, type LogEntry, RealtimeServer } from "@/realtime/server.ts";

const own = {
  PUSHER_APP_ID: "own",
  PUSHER_APP_KEY: "own-app-key",
  PUSHER_APP_SECRET: "x".repeat(16),
};
const shop = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };

/** The apps of an environment that a test may change, and the log of reloading them. */
function reloadable(environment: Record<string, string>) {
  const logged: LogEntry[] = [];
  const served: AppConfig[][] = [];
  const config = parseConfig(environment);
  const apps = servedApps(config);
  const realtime = new RealtimeServer({ apps });
  const reloadable = new ReloadableApps(apps, {
    config,
    stored: [],
    read: () => parseConfig(environment),
    replace(renewed) {
      realtime.replaceApps(renewed);
      served.push(renewed);
    },
    log: (entry) => logged.push(entry),
  });
  return { reloadable, realtime, logged, served };
}

describe("reloading the apps", () => {
  it("applies changed rules, secrets and lists", () => {
    const environment: Record<string, string> = { ...own };
    const { reloadable: apps, realtime, logged } = reloadable(environment);
    const channels = realtime.appApi("own");
    environment.CLIENT_EVENTS = "true";
    environment.PUSHER_APP_SECRET = "y".repeat(16);
    environment.APPS = JSON.stringify([shop]);
    apps.reload();
    assert.deepEqual(logged, [
      { level: "info", message: "Apps reloaded", apps: 2, added: ["shop"], removed: [] },
    ]);
    assert.equal(apps.own.secret, "y".repeat(16));
    assert.equal(channels?.settings.secret, "y".repeat(16));
    assert.equal(channels?.settings.clientEvents, true);
    assert.equal(realtime.appApi("shop")?.settings.clientEvents, true);
    delete environment.APPS;
    delete environment.CLIENT_EVENTS;
    apps.reload();
    assert.deepEqual([logged[1].added, logged[1].removed], [[], ["shop"]]);
    assert.equal(channels?.settings.clientEvents, false);
    assert.equal(realtime.appApi("shop"), undefined);
  });

  const faults: [what: string, change: Record<string, string>, lines: RegExp[]][] = [
    ["an invalid setting that is not about apps", { PORT: "x" }, [/^PORT: "x" is not allowed/]],
    ["another app for Rollcall's own pages", { PUSHER_APP_ID: "other" }, [
      /^PUSHER_APP_ID: app other replaces app own/,
    ]],
    ["two apps with the same key", { APPS: JSON.stringify([{ ...shop, key: "own-app-key" }]) }, [
      /^APPS: app shop has the key/,
    ]],
  ];

  for (const [what, change, lines] of faults) {
    it(`changes nothing and logs the reason for ${what}`, () => {
      const environment: Record<string, string> = { ...own };
      const { reloadable: apps, logged, served } = reloadable(environment);
      Object.assign(environment, change);
      apps.reload();
      assert.deepEqual(served, []);
      assert.equal(apps.own.id, "own");
      assert.match(logged[0].message, /^Apps not reloaded/);
      assert.equal(logged.length, 1 + lines.length);
      lines.forEach((line, index) => assert.match(logged[index + 1].message, line));
      assert.ok(logged.every(({ level }) => level === "error"));
    });
  }

  it("changes nothing and logs the error when the settings cannot be read", () => {
    const logged: LogEntry[] = [];
    const apps = new ReloadableApps([{ id: "own", key: "own-app-key", secret: "x" }], {
      config: parseConfig(own),
      stored: [],
      read() {
        throw new Deno.errors.PermissionDenied(".env cannot be read");
      },
      replace: () => assert.fail("replaced"),
      log: (entry) => logged.push(entry),
    });
    apps.reload();
    assert.match(logged[1].message, /\.env cannot be read/);
  });
});
