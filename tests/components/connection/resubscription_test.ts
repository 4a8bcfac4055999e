import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { keepSubscribed } from "@/components/connection/resubscription.ts";
import { FakeChannel } from "./fake_channel.ts";

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
