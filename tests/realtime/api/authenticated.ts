import assert from "node:assert/strict";
import { authenticate } from "@/realtime/api/signed_call.ts";
import { ApiError } from "@/realtime/api/api_request.ts";
import { app } from "../harness.ts";

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
