import { strict as assert } from "node:assert";
import { clientSettings, foreignSocketOrigins } from "../../config/client_settings.ts";
import { parseConfig } from "../../config/config.ts";

const settings = (environment: Record<string, string>, page: string, https = false) => {
  const { key: _, ...rest } = clientSettings(
    parseConfig(environment).pusher,
    "key",
    new URL(page),
    https,
  );
  return rest;
};

const own = { PUSHER_APP_KEY: "key-of-the-tests", PUSHER_APP_SECRET: "secret-of-the-tests" };

const constant = {
  enabledTransports: ["ws", "wss"],
  disableStats: true,
  namespace: "App.Events",
  authEndpoint: "/broadcasting/auth",
  userAuthEndpoint: "/broadcasting/user-auth",
};

Deno.test("client settings: with no set-up, the address of the page itself", () => {
  assert.deepEqual(settings({}, "http://10.0.0.7:8000/admin/online"), {
    ...constant,
    cluster: "self",
    wsHost: "10.0.0.7",
    wsPort: 8000,
    wssPort: 8000,
    forceTLS: false,
  });
});

Deno.test("client settings: behind a proxy that ends TLS, wss on its port", () => {
  assert.deepEqual(settings({}, "http://rollcall.example.com/", true), {
    ...constant,
    cluster: "self",
    wsHost: "rollcall.example.com",
    wsPort: 80,
    wssPort: 443,
    forceTLS: true,
  });
});

Deno.test("client settings: PUSHER_HOST goes before everything", () => {
  const environment = { ...own, PUSHER_HOST: "ws.example.com", PUSHER_APP_CLUSTER: "mt1" };
  assert.deepEqual(settings(environment, "http://localhost:8000/"), {
    ...constant,
    cluster: "mt1",
    wsHost: "ws.example.com",
    wsPort: 80,
    wssPort: 443,
    forceTLS: true,
  });
});

Deno.test("client settings: a hosted cluster is found by its name", () => {
  const { pusher } = parseConfig({ ...own, PUSHER_APP_CLUSTER: "eu" });
  assert.deepEqual(settings({ ...own, PUSHER_APP_CLUSTER: "eu" }, "http://localhost:8000/"), {
    ...constant,
    cluster: "eu",
    forceTLS: true,
  });
  assert.deepEqual(foreignSocketOrigins(pusher), ["wss://ws-eu.pusher.com"]);
});
