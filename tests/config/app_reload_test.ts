import assert from "node:assert/strict";
import { ReloadableApps } from "../../config/app_reload.ts";
import { parseConfig } from "../../config/config.ts";
import { servedApps } from "../../config/served_apps.ts";
import { type AppConfig, type LogEntry, RealtimeServer } from "../../realtime/server.ts";

const own = {
  PUSHER_APP_ID: "own",
  PUSHER_APP_KEY: "own-app-key",
  PUSHER_APP_SECRET: "x".repeat(16),
};
const shop = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };

/** Apps of an environment that a test may change, and what is logged of reading it again. */
function reloadable(environment: Record<string, string>) {
  const logged: LogEntry[] = [];
  const served: AppConfig[][] = [];
  const apps = servedApps(parseConfig(environment));
  const realtime = new RealtimeServer({ apps });
  const reloadable = new ReloadableApps(apps, {
    read: () => parseConfig(environment),
    replace(renewed) {
      realtime.replaceApps(renewed);
      served.push(renewed);
    },
    log: (entry) => logged.push(entry),
  });
  return { reloadable, realtime, logged, served };
}

Deno.test("settings of apps are read again: rules, secrets and lists", () => {
  const environment: Record<string, string> = { ...own };
  const { reloadable: apps, realtime, logged } = reloadable(environment);
  const channels = realtime.appApi("own");
  environment.CLIENT_EVENTS = "true";
  environment.PUSHER_APP_SECRET = "y".repeat(16);
  environment.APPS = JSON.stringify([shop]);
  apps.reload();
  assert.deepEqual(logged, [
    { level: "info", message: "The apps were read again", apps: 2, added: ["shop"], gone: [] },
  ]);
  assert.equal(apps.own.secret, "y".repeat(16));
  assert.equal(channels?.settings.secret, "y".repeat(16));
  assert.equal(channels?.settings.clientEvents, true);
  assert.equal(realtime.appApi("shop")?.settings.clientEvents, true);
  delete environment.APPS;
  delete environment.CLIENT_EVENTS;
  apps.reload();
  assert.deepEqual([logged[1].added, logged[1].gone], [[], ["shop"]]);
  assert.equal(channels?.settings.clientEvents, false);
  assert.equal(realtime.appApi("shop"), undefined);
});

const faults: [what: string, change: Record<string, string>, lines: RegExp[]][] = [
  ["a setting that is no app's", { PORT: "x" }, [/^PORT: "x" is not allowed/]],
  ["another own app", { PUSHER_APP_ID: "other" }, [/^PUSHER_APP_ID: app other is not the app own/]],
  ["a key for two apps", { APPS: JSON.stringify([{ ...shop, key: "own-app-key" }]) }, [
    /^APPS: app shop has the key/,
  ]],
];

for (const [what, change, lines] of faults) {
  Deno.test(`${what}: the apps stay as they are, and the log says why`, () => {
    const environment: Record<string, string> = { ...own };
    const { reloadable: apps, logged, served } = reloadable(environment);
    Object.assign(environment, change);
    apps.reload();
    assert.deepEqual(served, []);
    assert.equal(apps.own.id, "own");
    assert.match(logged[0].message, /stay as they are/);
    assert.equal(logged.length, 1 + lines.length);
    lines.forEach((line, index) => assert.match(logged[index + 1].message, line));
    assert.ok(logged.every(({ level }) => level === "error"));
  });
}

Deno.test("what goes wrong otherwise changes nothing either", () => {
  const logged: LogEntry[] = [];
  const apps = new ReloadableApps([{ id: "own", key: "own-app-key", secret: "x" }], {
    read() {
      throw new Deno.errors.PermissionDenied(".env cannot be read");
    },
    replace: () => assert.fail("nothing is served anew"),
    log: (entry) => logged.push(entry),
  });
  apps.reload();
  assert.match(logged[1].message, /\.env cannot be read/);
});
