import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ManualClock } from "../manual_clock.ts";
import { app } from "../harness.ts";
import { ApiHarness, type CallOptions, written } from "./harness.ts";

const other = { id: "2", key: "other-key", secret: "other-secret", maxApiRequestsPerSecond: 3 };

/** Requests the channels of an app. */
async function ask(harness: ApiHarness, options: CallOptions = {}): Promise<Response> {
  const { path, query } = written(options);
  return await fetch(`${harness.origin}${path}?${query}`);
}

async function statusOf(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.body?.cancel();
  return response.status;
}

it("An app that is switched off takes no call", async () => {
  await using harness = new ApiHarness({ rules: { enabled: false } });
  const answer = await ask(harness);
  assert.equal(answer.status, 403);
  assert.equal((await answer.json()).reason, "app_refused");
});

describe("The quota of calls", () => {
  it("refuses a call over it with 403 over_quota, and takes calls in the next second again", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ rules: { maxApiRequestsPerSecond: 3 }, clock });
    for (let call = 0; call < 3; call++) assert.equal(await statusOf(ask(harness)), 200);
    assert.equal(harness.realtime.stats().refusals.apiRequestsPerSecond, 0);
    const over = await ask(harness);
    assert.equal(over.status, 403);
    assert.equal(over.headers.get("retry-after"), "1");
    assert.deepEqual(await over.json(), {
      reason: "over_quota",
      message: "The app may make 3 calls a second",
    });
    assert.equal(harness.realtime.stats().refusals.apiRequestsPerSecond, 1);
    clock.advance(1_000);
    assert.equal(await statusOf(ask(harness)), 200);
  });

  it("does not count calls that are not authenticated", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ rules: { maxApiRequestsPerSecond: 1 }, clock });
    for (let call = 0; call < 20; call++) {
      assert.equal(await statusOf(ask(harness, { secret: "a-stranger-has-no-secret" })), 401);
    }
    assert.equal(await statusOf(ask(harness)), 200);
    assert.equal(await statusOf(ask(harness)), 403);
    assert.equal(await statusOf(ask(harness, { secret: "a-stranger-has-no-secret" })), 401);
  });

  it("is counted for each app, and there is none by default", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ apps: [app, other], clock });
    const path = "/apps/2/channels";
    const call = { path, query: { auth_key: other.key }, secret: other.secret };
    for (const status of [200, 200, 200, 403]) {
      assert.equal(await statusOf(ask(harness, call)), status);
    }
    for (let calls = 0; calls < 50; calls++) assert.equal(await statusOf(ask(harness)), 200);
  });

  it("applies to the next call after it is changed", async () => {
    const clock = new ManualClock();
    await using harness = new ApiHarness({ rules: { maxApiRequestsPerSecond: 1 }, clock });
    for (const status of [200, 403]) assert.equal(await statusOf(ask(harness)), status);
    harness.realtime.replaceApps([{ ...app, maxApiRequestsPerSecond: 4 }]);
    for (const status of [200, 200, 403]) assert.equal(await statusOf(ask(harness)), status);
  });
});
