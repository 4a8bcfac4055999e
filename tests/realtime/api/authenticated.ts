import assert from "node:assert/strict";
import { authenticate } from "@/realtime/api/signed_call.ts";
import { ApiError } from "@/realtime/api/api_request.ts";
import { app } from "../harness.ts";
import { it } from "@std/testing/bdd";
import { ApiHarness, type WrittenCall } from "./harness.ts";

/** The time of the call in Pusher's reference, in milliseconds. */
export const then = 1_353_088_179_000;

/** Authenticates a call of Pusher's published app. */
export function authenticated(pathname: string, query: string, method = "POST", now = then) {
  const prefixLength = pathname.lastIndexOf("/apps/");
  return authenticate(app, { method, pathname, prefixLength, query }, now);
}

/** The reason of a refusal, or `accepted`. */
export function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.reason;
  }
  return "accepted";
}

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
