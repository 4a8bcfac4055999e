import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseConfig } from "@/server/config/config.ts";
import { socketAddress } from "@/server/check/protocol_client.ts";
import { addressBelow, addressOf, targetOf } from "@/server/check/target.ts";

const app = { id: "1", key: "a-key-of-ours", secret: "a-secret-of-ours" };
const credentials = { PUSHER_APP_KEY: app.key, PUSHER_APP_SECRET: app.secret };

function target(environment: Record<string, string>) {
  return targetOf(parseConfig(environment), app, "k".repeat(32));
}

describe("the target of a check", () => {
  it("has the public address for pages, WebSockets and the HTTP API", () => {
    const own = target({ APP_URL: "https://rollcall.example.com:8443" });
    assert.equal(addressOf(own), "https://rollcall.example.com:8443");
    assert.equal(
      socketAddress(own).href,
      "wss://rollcall.example.com:8443/app/a-key-of-ours?protocol=7&client=rollcall-check&version=1",
    );
    assert.equal(addressBelow(own.api, "/apps/1/events").href, `${addressOf(own)}/apps/1/events`);
    assert.equal(own.usesExternalServer, false);
  });

  it("keeps the path of the public address before every path", () => {
    const address = new URL("https://example.com/rollcall");
    assert.equal(addressBelow(address, "/up").href, "https://example.com/rollcall/up");
    assert.equal(addressBelow(new URL(`${address}/`), "/up?a=b").href, `${address}/up?a=b`);
  });

  it("has Pusher's host names for WebSockets and HTTP API when a cluster is set", () => {
    const hosted = target({ ...credentials, PUSHER_APP_CLUSTER: "eu" });
    assert.equal(hosted.sockets.href, "wss://ws-eu.pusher.com/");
    assert.equal(hosted.api.href, "https://api-eu.pusher.com/");
    assert.deepEqual([hosted.usesExternalServer, hosted.isAppIdGiven], [true, false]);
  });

  it("has host, port and scheme of an external server for WebSockets and HTTP API", () => {
    const host = { PUSHER_HOST: "soketi.example.com", PUSHER_PORT: "6001", PUSHER_SCHEME: "http" };
    const hosted = target({ ...credentials, ...host, PUSHER_APP_ID: "1" });
    assert.equal(hosted.sockets.href, "ws://soketi.example.com:6001/");
    assert.equal(hosted.api.href, "http://soketi.example.com:6001/");
    assert.equal(hosted.isAppIdGiven, true);
  });
});
