import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { closings } from "@/shared/close_reasons.ts";
import { connectionRefusal, subscriptionRefusal } from "@/components/connection/reconnection.ts";

describe("a refused subscription", () => {
  it("says what the reader can do, by the HTTP status", () => {
    assert.match(subscriptionRefusal({ type: "AuthError", status: 403 }) ?? "", /Sign in again/);
    assert.match(
      subscriptionRefusal({ type: "AuthError", status: 419 }) ?? "",
      /session changed\. Reload/,
    );
    assert.match(subscriptionRefusal({ type: "AuthError", status: 401 }) ?? "", /Reload/);
    assert.match(
      subscriptionRefusal({ type: "AuthError", status: 422 }) ?? "",
      /error 422\)\. Reload/,
    );
  });

  it("has the reason that the socket's server gave", () => {
    const full = { type: "LimitReached", error: "The channel is full: 9 members", status: 4004 };
    assert.match(subscriptionRefusal(full) ?? "", /^The channel is full: 9 members\. Reload/);
  });

  it("is retried when the network or the server failed", () => {
    for (const status of [0, 408, 429, 500, 502, 503, undefined]) {
      assert.equal(subscriptionRefusal({ type: "AuthError", status }), null);
    }
    assert.equal(subscriptionRefusal(undefined), null);
  });
});

describe("a connection that the server closed for good", () => {
  const closing = (code: number) => ({
    type: "WebSocketError",
    error: { type: "PusherError", data: { code, message: "Over quota" } },
  });

  it("has the reason and the close code", () => {
    const reason = connectionRefusal(closing(4009));
    assert.match(reason ?? "", /Over quota \(code 4009\)/);
    assert.match(connectionRefusal(closing(4001)) ?? "", /4001/);
    assert.match(connectionRefusal(closing(4300)) ?? "", /4300/);
    const bare = { type: "PusherError", data: { code: 4004, message: null } };
    assert.match(connectionRefusal(bare) ?? "", /no reason \(code 4004\)/);
  });

  it("says what an admin did, and whether the reader can rejoin", () => {
    const text = (message: string) =>
      connectionRefusal({ error: { data: { code: 4009, message } } }) ?? "";
    assert.match(text(closings.removed.reason), /An admin disconnected you. Reload to rejoin/);
    assert.match(text(closings.blocked.reason), /An admin blocked you/);
    assert.match(text(closings.disabled.reason), /An admin disabled your account/);
    for (const { reason } of Object.values(closings)) assert.ok(reason.length <= 123);
  });

  it("has no reason at close codes after which pusher-js reconnects", () => {
    for (const code of [1006, 4000, 4100, 4200, 4201, 4202]) {
      assert.equal(connectionRefusal(closing(code)), null);
    }
    assert.equal(connectionRefusal({ type: "WebSocketError" }), null);
    assert.equal(connectionRefusal(null), null);
  });
});
