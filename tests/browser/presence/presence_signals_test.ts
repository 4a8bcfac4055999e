import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { closings } from "../../../shared/close_reasons.ts";
import {
  connectionRefusal,
  memberIds,
  retryDelayMs,
  subscriptionRefusal,
} from "../../../browser/presence/presence_signals.ts";

describe("the ids of the members", () => {
  it("are those of the channel, whatever the members say of themselves", () => {
    const members = JSON.parse(
      '{"u1":{"id":"x"},"10":{"name":"Ann"},"__proto__":{"id":"x"},"u2":null}',
    );
    assert.deepEqual(memberIds({ members }).sort(), ["10", "__proto__", "u1", "u2"]);
  });
});

describe("a refused subscription", () => {
  it("says what the user can do", () => {
    assert.match(subscriptionRefusal({ type: "AuthError", status: 403 }) ?? "", /Sign in again/);
    assert.match(subscriptionRefusal({ type: "AuthError", status: 419 }) ?? "", /out of date/);
    assert.match(subscriptionRefusal({ type: "AuthError", status: 401 }) ?? "", /Reload/);
    assert.match(subscriptionRefusal({ type: "AuthError", status: 422 }) ?? "", /status 422/);
  });

  it("passes on why the socket's server refused it", () => {
    const full = { type: "LimitReached", error: "The channel is full: 9 members", status: 4004 };
    assert.match(subscriptionRefusal(full) ?? "", /^The channel is full: 9 members\. Reload/);
  });

  it("is asked for again when the network or the server failed", () => {
    for (const status of [0, 408, 429, 500, 502, 503, undefined]) {
      assert.equal(subscriptionRefusal({ type: "AuthError", status }), null);
    }
    assert.equal(subscriptionRefusal(undefined), null);
  });

  it("is asked for again later and later, never all pages at once", () => {
    assert.equal(retryDelayMs(0, 0), 500);
    assert.equal(retryDelayMs(0, 1), 1_000);
    assert.equal(retryDelayMs(3, 1), 8_000);
    assert.equal(retryDelayMs(1_000, 1), 15_000);
  });
});

describe("a connection that the server closed for good", () => {
  const closing = (code: number) => ({
    type: "WebSocketError",
    error: { type: "PusherError", data: { code, message: "Over quota" } },
  });

  it("says why, with the close code", () => {
    const reason = connectionRefusal(closing(4009));
    assert.match(reason ?? "", /Over quota \(code 4009\)/);
    assert.match(connectionRefusal(closing(4001)) ?? "", /4001/);
    assert.match(connectionRefusal(closing(4300)) ?? "", /4300/);
    const bare = { type: "PusherError", data: { code: 4004, message: null } };
    assert.match(connectionRefusal(bare) ?? "", /no reason given \(code 4004\)/);
  });

  it("says in plain words what an admin did, and whether one may come back", () => {
    const words = (message: string) =>
      connectionRefusal({ error: { data: { code: 4009, message } } }) ?? "";
    assert.match(words(closings.removed.reason), /removed by an admin. Reload .* to come back/);
    assert.match(words(closings.blocked.reason), /does not let you in/);
    assert.match(words(closings.disabled.reason), /cannot come back/);
    for (const { reason } of Object.values(closings)) assert.ok(reason.length <= 123);
  });

  it("is not one that pusher-js makes again by itself", () => {
    for (const code of [1006, 4000, 4100, 4200, 4201, 4202]) {
      assert.equal(connectionRefusal(closing(code)), null);
    }
    assert.equal(connectionRefusal({ type: "WebSocketError" }), null);
    assert.equal(connectionRefusal(null), null);
  });
});
