import { createHash } from "node:crypto";
import PusherServer from "pusher";
import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";
import { authenticate } from "@/realtime/api/signed_call.ts";
import { ApiError } from "@/realtime/api/api_request.ts";
import { app, Harness } from "../harness.ts";

/** A server with its HTTP API on the same port, and Pusher's own library to call it. */
export class ApiHarness extends Harness {
  readonly api = new HttpApi({
    appOf: (id) => this.realtime.appApi(id),
    log: (entry) => this.logged.push(entry),
  });

  override answer(request: Request): Response | Promise<Response> {
    return this.api.handles(new URL(request.url).pathname)
      ? this.api.answer(request)
      : super.answer(request);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The official library for servers. */
  library(options: Partial<PusherServer.Options> = {}): PusherServer {
    const { id: appId, key, secret } = app;
    const port = String(this.port);
    return new PusherServer({ appId, key, secret, host: "127.0.0.1", port, ...options });
  }

  /** Sends a call as it is. */
  async send(call: WrittenCall): Promise<ApiAnswer> {
    const { method, path, query, body } = call;
    const response = await fetch(`${this.origin}${path}?${query}`, { method, body });
    return { status: response.status, ...await response.json() };
  }
}

/** An answer of the API: its status, and the fields of its JSON. */
export interface ApiAnswer {
  status: number;
  reason?: string;
  message?: string;
  [field: string]: unknown;
}

/** A call as it is sent. */
export interface WrittenCall {
  method: string;
  path: string;
  query: string;
  body?: BodyInit;
}

/** How a call differs from a valid one. */
export interface CallOptions {
  method?: string;
  path?: string;
  /** Parameters of the query; `undefined` leaves one out. Signed. */
  query?: Record<string, string | undefined>;
  body?: string | Uint8Array<ArrayBuffer>;
  secret?: string;
}

/** Writes a call to the app `1` and signs it, without the library. */
export function written(options: CallOptions = {}): WrittenCall {
  const { method = "GET", path = "/apps/1/channels", query = {}, body } = options;
  const parameters = {
    auth_key: app.key,
    auth_timestamp: String(Math.floor(Date.now() / 1000)),
    auth_version: "1.0",
    body_md5: body === undefined ? undefined : md5(body),
    ...query,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  ).sort(([one], [other]) => one < other ? -1 : 1);
  const text = requestText(method, path, given.map((pair) => pair.join("=")).join("&"));
  const signature = signRequest({ ...app, secret: options.secret ?? app.secret }, text);
  const sent = new URLSearchParams([...given, ["auth_signature", signature]]);
  return { method, path, query: sent.toString(), body };
}

/** A call with a JSON body. */
export function posted(path: string, body: unknown): WrittenCall {
  return written({ method: "POST", path, body: JSON.stringify(body) });
}

/** The digest of a body for `body_md5`. */
export function md5(body: string | Uint8Array): string {
  return createHash("md5").update(body).digest("hex");
}

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
