import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import {
  connectionRefusal,
  reconnectSooner,
  retryDelayMs,
  subscriptionRefusal,
} from "@/components/connection/reconnection.ts";
import { closings } from "@/shared/close_reasons.ts";
import { keepSubscribed } from "@/components/connection/resubscription.ts";
import {
  authorizedCount,
  type Authorizing,
  keepAuthorizedCount,
} from "@/components/connection/echo.ts";
import { FakeChannel, FakePusher } from "./fake_pusher.ts";

describe("connecting again", () => {
  let time: FakeTime;
  let pusher: FakePusher;

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
  });
  afterEach(() => time.restore());

  it("restarts an attempt that does not succeed, with longer and longer waits", () => {
    reconnectSooner(pusher, () => 1);
    for (const seconds of [4, 8, 15, 15, 15]) {
      const before = pusher.attempts;
      time.tick(seconds * 1_000 - 1);
      assert.equal(pusher.attempts, before);
      time.tick(1);
      assert.equal(pusher.attempts, before + 1);
    }
    pusher.enter("connected");
  });

  it("leaves an open connection alone, and starts with short waits after the next loss", () => {
    reconnectSooner(pusher, () => 1);
    time.tick(12_000);
    pusher.enter("connected");
    const before = pusher.attempts;
    time.tick(600_000);
    assert.equal(pusher.attempts, before);
    pusher.enter("connecting");
    time.tick(4_000);
    assert.equal(pusher.attempts, before + 1);
    pusher.enter("connected");
  });

  it("stops when the connection was closed for good", () => {
    reconnectSooner(pusher, () => 1);
    pusher.enter("disconnected");
    time.tick(600_000);
    assert.equal(pusher.attempts, 1);
  });

  it("distinguishes its own disconnects from others", () => {
    const isRestarting = reconnectSooner(pusher, () => 1);
    const told: boolean[] = [];
    pusher.connection.bind("disconnected", () => told.push(isRestarting()));
    time.tick(4_000);
    pusher.enter("disconnected");
    assert.deepEqual(told, [true, false]);
  });
});

describe("the delay before an attempt", () => {
  it("doubles from 1 s to 15 s, with jitter down to a half", () => {
    assert.equal(retryDelayMs(0, 0), 500);
    assert.equal(retryDelayMs(0, 1), 1_000);
    assert.equal(retryDelayMs(3, 1), 8_000);
    assert.equal(retryDelayMs(1_000, 1), 15_000);
  });
});

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

describe("a subscription that failed", () => {
  let time: FakeTime;
  let channel: FakeChannel;
  let reported: string[];

  beforeEach(() => {
    time = new FakeTime();
    channel = new FakeChannel();
    reported = [];
    const reports = {
      refused: (reason: string) => void reported.push(reason),
      failed: () => void reported.push("failed"),
    };
    keepSubscribed(channel, reports, () => 1);
  });
  afterEach(() => time.restore());

  it("is tried again, with longer and longer waits", () => {
    for (const [index, seconds] of [1, 2, 4, 8, 15, 15].entries()) {
      channel.fail({ status: 503 });
      time.tick(seconds * 1_000 - 1);
      assert.equal(channel.subscriptions, index);
      time.tick(1);
      assert.equal(channel.subscriptions, index + 1);
    }
    assert.deepEqual(new Set(reported), new Set(["failed"]));
  });

  it("is tried soon again after it has succeeded", () => {
    for (let failure = 0; failure < 5; failure++) {
      channel.fail({ status: 503 });
      time.tick(15_000);
    }
    channel.succeed();
    channel.fail({ status: 503 });
    const before = channel.subscriptions;
    time.tick(1_000);
    assert.equal(channel.subscriptions, before + 1);
  });

  it("is not tried twice when pusher-js has subscribed again meanwhile", () => {
    channel.fail({ status: 503 });
    channel.subscription.subscribe();
    time.tick(60_000);
    assert.equal(channel.subscriptions, 1);
  });

  it("is not tried again when the server refused it, with the reason", () => {
    channel.fail({ status: 403 });
    time.tick(60_000);
    assert.equal(channel.subscriptions, 0);
    assert.deepEqual(reported, ["You've been signed out. Sign in again."]);
  });
});

it("what an answer of the auth route says of the number is kept by the page's clock, and passed on", () => {
  using time = new FakeTime(50_000);
  let answer: unknown = null;
  let error: Error | null = null;
  const pusher: Authorizing = {
    config: { channelAuthorizer: (_, answered) => answered(error, answer) },
  };
  keepAuthorizedCount(pusher);
  const passed: unknown[] = [];
  const authorize = (channelName = "presence-chart") =>
    pusher.config.channelAuthorizer(
      { channelName, socketId: "1.2" },
      (...both) => passed.push(both),
    );

  const recovery = { expected: 56, startedAt: -5_000, most: 11, grewAt: -1_000, uncertainMs: 0 };
  answer = { auth: "a", isQuiet: true, recovery };
  authorize();
  const ofPage = { expected: 56, startedAt: 45_000, most: 11, grewAt: 49_000, uncertainMs: 0 };
  const known = { recovery: ofPage, isQuiet: true, takesActivity: true };
  assert.deepEqual(authorizedCount(), known);
  answer = { auth: "of another channel" };
  authorize("private-rollcall.online");
  answer = null;
  error = new Error("403");
  authorize();
  time.tick(1_000);
  assert.deepEqual(authorizedCount(), known);
  [answer, error] = [{ auth: "a", refusesActivity: true }, null];
  authorize();
  assert.deepEqual(authorizedCount(), { recovery: null, isQuiet: false, takesActivity: false });
  assert.equal(passed.length, 4);
  assert.deepEqual(passed[3], [null, answer]);
});
