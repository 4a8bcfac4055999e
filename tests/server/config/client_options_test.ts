import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import {
  clientSettings,
  externalSocketOrigins,
  usesExternalServer,
} from "@/server/config/client_options.ts";
import { parseConfig } from "@/server/config/config.ts";
import { setBasePath } from "@/shared/address.ts";

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
};

describe("the options with which a page connects", () => {
  it("name the address of the page when no external server is set", () => {
    assert.deepEqual(settings({}, "http://10.0.0.7:8000/admin/online"), {
      ...constant,
      cluster: "self",
      wsHost: "10.0.0.7",
      wsPort: 8000,
      wssPort: 8000,
      forceTLS: false,
    });
  });

  it("use wss on the port of the page behind a proxy that ends TLS", () => {
    assert.deepEqual(settings({}, "http://rollcall.example.com/", true), {
      ...constant,
      cluster: "self",
      wsHost: "rollcall.example.com",
      wsPort: 80,
      wssPort: 443,
      forceTLS: true,
    });
  });

  it("prefer PUSHER_HOST to the cluster", () => {
    const environment = { ...own, PUSHER_HOST: "ws.example.com", PUSHER_APP_CLUSTER: "eu" };
    assert.deepEqual(settings(environment, "http://localhost:8000/"), {
      ...constant,
      cluster: "eu",
      wsHost: "ws.example.com",
      wsPort: 80,
      wssPort: 443,
      forceTLS: true,
    });
  });

  it("name the cluster, whose origin the content policy allows", () => {
    const { pusher } = parseConfig({ ...own, PUSHER_APP_CLUSTER: "eu" });
    assert.deepEqual(settings({ ...own, PUSHER_APP_CLUSTER: "eu" }, "http://localhost:8000/"), {
      ...constant,
      cluster: "eu",
      forceTLS: true,
    });
    assert.deepEqual(externalSocketOrigins(pusher), ["wss://ws-eu.pusher.com"]);
    assert.ok(usesExternalServer(pusher));
  });

  it("name the port of an external server, which the content policy allows", () => {
    const environment = {
      ...own,
      PUSHER_HOST: "ws.example.com",
      PUSHER_PORT: "6001",
      PUSHER_SCHEME: "http",
    };
    const { wsPort, wssPort, forceTLS } = settings(environment, "http://localhost:8000/");
    assert.deepEqual([wsPort, wssPort, forceTLS], [6001, 6001, false]);
    assert.deepEqual(externalSocketOrigins(parseConfig(environment).pusher), [
      "ws://ws.example.com:6001",
      "wss://ws.example.com:6001",
    ]);
  });

  it("name the path of APP_URL", () => {
    setBasePath("/rollcall");
    try {
      const { wsPath, authEndpoint } = settings({}, "http://localhost:8000/rollcall/");
      assert.deepEqual([wsPath, authEndpoint], ["/rollcall", "/rollcall/broadcasting/auth"]);
    } finally {
      setBasePath("");
    }
  });
});
