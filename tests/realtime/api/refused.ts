import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { app } from "../harness.ts";
import { ApiHarness, type WrittenCall } from "./harness.ts";

/** A call that is refused, and its answer. */
export interface Refused {
  what: string;
  call: WrittenCall | (() => WrittenCall);
  status: number;
  reason: string;
  message: RegExp;
}

/** Tests that the call gets its answer and that no event is sent. */
export function testRefusal({ what, call, status, reason, message }: Refused): void {
  it(`${status} ${reason}: ${what}`, async () => {
    await using harness = new ApiHarness();
    const client = await harness.connect();
    client.subscribe("news");
    await client.next("pusher_internal:subscription_succeeded");
    const answer = await harness.send(typeof call === "function" ? call() : call);
    assert.deepEqual([answer.status, answer.reason], [status, reason]);
    assert.match(answer.message ?? "", message);
    assert.ok(!JSON.stringify(answer).includes(app.secret));
    assert.deepEqual(await client.settled(), [], "nothing was sent");
    assert.deepEqual(harness.logged, []);
  });
}
