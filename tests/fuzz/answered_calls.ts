import assert from "node:assert/strict";
import { z } from "zod";
import type { ApiCall } from "./api_calls.ts";
import type { HttpAnswer } from "./http_exchange.ts";

const refusal = z.strictObject({ reason: z.string().min(1), message: z.string().min(1) });

/** How the API refuses, and the protocol's codes by which Deno's HTTP refuses before it. */
const refusals = [400, 401, 403, 404, 405, 413];

/**
 * Checks the answer to a call.
 *
 * @throws when it is neither a result nor a refusal, or a result without a right signature.
 */
export function checkAnswer(call: ApiCall, answer: HttpAnswer | undefined): void {
  if (!answer || isOfHttp(answer)) return;
  const { status, body } = answer;
  assert.ok(status === 200 || refusals.includes(status), `The status is ${status}: ${body}`);
  if (call.method !== "HEAD") {
    const value = JSON.parse(body);
    if (status !== 200) refusal.parse(value);
  }
  if (status !== 200) return;
  assert.equal(call.signs, "right", "A call without a right signature was carried out");
  // A body of GET is not read.
  if (call.method === "POST" && call.body !== undefined && call.body.length > 0) {
    assert.equal(call.digest, "right", "A call was carried out with another body than was signed");
  }
}

/** Whether it is a refusal of what is no HTTP, or no call of the API. */
function isOfHttp({ status, headers }: HttpAnswer): boolean {
  return [400, 414, 431].includes(status) && !headers.get("content-type")?.includes("json");
}
