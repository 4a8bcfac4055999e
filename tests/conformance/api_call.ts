import assert from "node:assert/strict";
import type PusherServer from "pusher";
import type { AppHarness } from "./harness.ts";

/** A call of the HTTP API that differs from what the official library would send. */
export interface ApiCall {
  method?: "GET" | "POST";
  /** Below the app, such as `/channels`. */
  path: string;
  params?: Record<string, string>;
  /** Signed as it is. */
  body?: string;
  /** The library that signs. Default: one with the app's secret. */
  library?: PusherServer;
  /** The query that is sent instead of the signed one. */
  change?: (query: URLSearchParams) => void;
  /** The body that is sent instead of the signed one. */
  sentBody?: string;
  /** A prefix that a proxy adds before the path. */
  prefix?: string;
}

/** The answer: its status and the fields of its JSON. */
export interface ApiAnswer {
  status: number;
  reason?: string;
  message?: string;
  [field: string]: unknown;
}

/** Sends a call that the official library signed. */
export async function call(harness: AppHarness, options: ApiCall): Promise<ApiAnswer> {
  const { method = "GET", params = {}, body, change = () => {}, prefix = "" } = options;
  await harness.server.settle?.();
  const path = `/apps/${harness.app.id}${options.path}`;
  const library = options.library ?? harness.library();
  const signed = library.createSignedQueryString({ method, path, params, body });
  const query = new URLSearchParams(signed);
  change(query);
  const response = await fetch(`${harness.origin}${prefix}${path}?${query}`, {
    method,
    body: options.sentBody ?? body,
  });
  return { status: response.status, ...await response.json() };
}

/** Sends a signed body with POST. */
export function post(harness: AppHarness, path: string, body: unknown): Promise<ApiAnswer> {
  return call(harness, { method: "POST", path, body: JSON.stringify(body) });
}

/** The JSON that answers a call of the library. */
export async function answerOf(response: Promise<{ json(): Promise<unknown> }>): Promise<unknown> {
  return await (await response).json();
}

/** Asserts that the call is refused with the status and that the answer names the fault. */
export function assertRefused(answer: ApiAnswer, status: number, message: RegExp): void {
  assert.equal(answer.status, status);
  assert.match(answer.reason ?? "", /^[a-z_0-9]+$/);
  assert.match(answer.message ?? "", message);
}
