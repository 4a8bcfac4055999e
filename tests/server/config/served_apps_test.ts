import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Config, ConfigError, parseConfig } from "@/server/config/config.ts";
import {
  needsGenerated,
  type OwnApp,
  ReloadableApps,
  servedApps,
} from "@/server/config/served_apps.ts";
import { type AppConfig, type LogEntry, RealtimeServer } from "@/realtime/server.ts";

const shop = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };
const chat = { id: "chat", key: "chat-key", secret: "the-secret-of-the-chat" };
const generated = { id: "123456", key: "generated-key", secret: "generated-secret" };
const ofShop = { PUSHER_APP_ID: shop.id, PUSHER_APP_KEY: shop.key, PUSHER_APP_SECRET: shop.secret };

function config(environment: Record<string, string>, list?: object[]): Config {
  return parseConfig(list ? { ...environment, APPS: JSON.stringify(list) } : environment);
}

/** The ids of the served apps, the own pages' first; or the problems. */
function served(settings: Config, own: OwnApp = { generated }): string[] {
  try {
    return servedApps(settings, own).map(({ id }) => id);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("the apps that are served", () => {
  it("are one app, of the environment or generated, when there is no list", () => {
    assert.deepEqual(served(config(ofShop)), ["shop"]);
    assert.deepEqual(served(config({})), ["123456"]);
    const [app] = servedApps(config({ PUSHER_APP_ID: "mine" }), { generated });
    assert.deepEqual([app.id, app.key, app.secret], ["mine", generated.key, generated.secret]);
  });

  it("begin with the first listed app when PUSHER_APP_* is not set", () => {
    assert.deepEqual(served(config({}, [chat, shop])), ["chat", "shop"]);
    assert.equal(needsGenerated(config({}, [chat, shop])), false);
  });

  it("begin with the listed app that PUSHER_APP_ID names", () => {
    for (const environment of [ofShop, { PUSHER_APP_ID: "shop" }]) {
      assert.deepEqual(served(config(environment, [chat, shop])), ["shop", "chat"]);
      assert.equal(needsGenerated(config(environment, [chat, shop])), false);
    }
  });

  it("are refused when the environment and the list disagree about an app", () => {
    const environment = {
      ...ofShop,
      PUSHER_APP_KEY: "another-key",
      PUSHER_APP_SECRET: chat.secret,
    };
    assert.deepEqual(served(config(environment, [chat, shop])), [
      "PUSHER_APP_KEY: (not shown) differs from the key of app shop in APPS; expected the same, or none",
      "PUSHER_APP_SECRET: (not shown) differs from the secret of app shop in APPS; expected the same, or none",
    ]);
  });

  it("begin with the app of PUSHER_APP_*, before the listed ones, when it is not in the list", () => {
    assert.deepEqual(served(config(ofShop, [chat])), ["shop", "chat"]);
    assert.deepEqual(served(config({ PUSHER_APP_KEY: "another-key" }, [chat])), ["123456", "chat"]);
    assert.equal(needsGenerated(config({ PUSHER_APP_KEY: "another-key" }, [chat])), true);
  });

  it("are refused when a listed app has the id or key of an app outside the list", () => {
    const expected = (name: string) =>
      `APPS: app ${
        name === "id" ? "123456" : "chat"
      } has the ${name} of app 123456, which is not in ` +
      "the list; expected a unique one";
    const environment = { PUSHER_APP_KEY: chat.key };
    assert.deepEqual(served(config(environment, [chat])), [expected("key")]);
    const other = { PUSHER_APP_KEY: "another-key" };
    assert.deepEqual(served(config(other, [{ ...chat, id: "123456" }])), [expected("id")]);
  });

  it("are refused when the app of the own pages is disabled", () => {
    assert.deepEqual(served(config({}, [{ ...chat, enabled: false }, shop])), [
      "APPS: app chat is not enabled; expected an enabled one, as Rollcall's own pages use it",
    ]);
    assert.deepEqual(served(config({}, [chat, { ...shop, enabled: false }])), ["chat", "shop"]);
  });

  it("have the rules of the environment unless they state their own", () => {
    const environment = {
      PRESENCE_MAX_MEMBERS: "7",
      ALLOWED_ORIGINS: "https://a.example, https://b.example",
      JOIN_TIMEOUT_MS: "5000",
      CLIENT_EVENTS: "on",
      CLIENT_EVENTS_PER_SECOND: "0",
      API_REQUESTS_PER_SECOND: "20",
      SUBSCRIPTION_COUNT: "true",
      WATCHLIST: "1",
      WEBHOOK_URL: "https://a.example/hook, http://localhost:99/",
    };
    const stated = {
      allowed_origins: ["*"],
      max_presence_members_per_channel: 9,
      enable_client_messages: false,
      webhooks: [],
    };
    const apps = servedApps(config({ ...environment, ...ofShop }, [chat, { ...shop, ...stated }]));
    const rules = {
      presenceMaxMembers: 7,
      allowedOrigins: ["https://a.example", "https://b.example"],
      joinTimeoutMs: 5_000,
      clientEvents: true,
      clientEventsPerSecond: 0,
      maxApiRequestsPerSecond: 20,
      subscriptionCount: true,
      watchlist: true,
    };
    assert.deepEqual(JSON.parse(JSON.stringify(apps)), [
      {
        ...rules,
        ...shop,
        allowedOrigins: ["*"],
        presenceMaxMembers: 9,
        clientEvents: false,
        webhooks: [],
      },
      { ...rules, ...chat },
    ]);
    const [own, other] = servedApps(config(environment, [chat, shop]));
    const webhooks = [{ url: "https://a.example/hook" }, { url: "http://localhost:99/" }];
    assert.deepEqual([own.webhooks, other.webhooks], [webhooks, undefined]);
  });

  it("keep the app of the own pages at any position of the list while the server runs", () => {
    const own = { running: shop };
    assert.deepEqual(served(config({}, [chat, shop]), own), ["shop", "chat"]);
    const rotated = { ...shop, secret: "another-secret-of-the-shop" };
    assert.deepEqual(servedApps(config({}, [chat, rotated]), own)[0].secret, rotated.secret);
    assert.deepEqual(served(config({}), own), ["shop"]);
    assert.deepEqual(served(config({ PUSHER_APP_KEY: shop.key }, [chat]), own), ["shop", "chat"]);
  });

  it("are refused without the app of the own pages, or with another key, while the server runs", () => {
    const own = { running: shop };
    const use = "as Rollcall's own pages use it";
    assert.deepEqual(served(config({}, [chat]), own), [
      `APPS: app shop was removed; expected it to stay until a restart, ${use}`,
    ]);
    const changed = (id: string) => [
      `PUSHER_APP_ID: app ${id} replaces app shop, or has another key; expected the same ` +
      `id and key until a restart, ${use}`,
    ];
    assert.deepEqual(served(config({}, [{ ...shop, key: "new-shop-key" }]), own), changed("shop"));
    assert.deepEqual(served(config({ PUSHER_APP_ID: "chat" }, [chat, shop]), own), changed("chat"));
  });
});

const own = {
  PUSHER_APP_ID: "own",
  PUSHER_APP_KEY: "own-app-key",
  PUSHER_APP_SECRET: "x".repeat(16),
};

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
