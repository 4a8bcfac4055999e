import { createHash } from "node:crypto";
import PusherServer from "pusher";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";
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
