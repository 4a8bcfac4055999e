import { createHash } from "node:crypto";
import fc from "fast-check";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";
import { apps } from "./apps.ts";
import { exchange, type HttpAnswer } from "./wire.ts";
import {
  bytes,
  type Edit,
  edit,
  edited,
  few,
  mutated,
  mutation,
  oddJson,
  oddText,
  oddValue,
} from "./mutations.ts";

/** A call of the HTTP API, a right one or one that is wrong somewhere. */
export interface ApiCall {
  /** Which of the apps. */
  app: number;
  method: string;
  /** Below the app, as it is sent; it is signed so too. */
  path: string;
  prefix: string;
  query: [name: string, value: string][];
  body?: string | Uint8Array;
  /** What is said of the body. */
  digest: "right" | "another" | "none";
  /** With whose secret it is signed. */
  signs: "right" | "another" | "none";
  headers: [name: string, value: string][];
  /** Changes of the target after it was signed. */
  edits: Edit[];
  /** Sends only so large a part of the body. */
  sends: number;
}

/** A right call with a JSON body, of the first app unless said otherwise. */
export function rightCall(path: string, body: unknown, app = 0): ApiCall {
  return {
    app,
    method: "POST",
    path,
    prefix: "",
    query: [],
    body: JSON.stringify(body),
    digest: "right",
    signs: "right",
    headers: [],
    edits: [],
    sends: 1,
  };
}

/** Right calls that send an event to a channel. */
export function trigger(channel: fc.Arbitrary<string>): fc.Arbitrary<ApiCall> {
  return fc.record({ app: fc.nat(1), channel, data: oddText })
    .map(({ app, ...event }) => rightCall("events", { name: "update", ...event }, app));
}

/** What is told of a member, to all or to admins. */
const memberUpdate = fc.record({
  user_info: oddValue,
  rollcall: fc.oneof(
    fc.record({ name: oddText, detail: oddText, url: oddText }, { requiredKeys: [] }),
    oddValue,
  ),
}, { requiredKeys: [] });

/** Right calls that change a member of a channel, who may be one. */
export function change(
  channel: fc.Arbitrary<string>,
  userId: fc.Arbitrary<string>,
): fc.Arbitrary<ApiCall> {
  return fc.record({ app: fc.nat(1), channel, userId, body: memberUpdate }).map((
    { app, channel, userId, body },
  ) => rightCall(`channels/${encoded(channel)}/users/${encoded(userId)}`, body, app));
}

const segment = fc.oneof(
  fc.constantFrom("news", "presence-a", "private-a", "ann", "__proto__", "%00", "%zz", "%2F"),
  oddText.map(encoded),
);

/** Percent-encodes what can be; half of a surrogate pair cannot. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** A method and a path that mostly belong together. */
const call: fc.Arbitrary<Pick<ApiCall, "method" | "path">> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ method: "POST", path: "events" }) },
  { weight: 2, arbitrary: fc.constant({ method: "POST", path: "batch_events" }) },
  { weight: 2, arbitrary: fc.constant({ method: "GET", path: "channels" }) },
  { weight: 2, arbitrary: segment.map((name) => ({ method: "GET", path: `channels/${name}` })) },
  segment.map((name) => ({ method: "GET", path: `channels/${name}/users` })),
  segment.map((name) => ({ method: "POST", path: `users/${name}/terminate_connections` })),
  fc.tuple(segment, segment).map(([name, userId]) => ({
    method: "POST",
    path: `channels/${name}/users/${userId}`,
  })),
  fc.record({
    method: fc.constantFrom("POST", "GET", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "x"),
    path: fc.oneof(fc.constantFrom("events", "events/", "channels/", ""), segment),
  }),
);

/** Mostly one of the usual texts. */
function orOdd(...usual: string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...usual) }, oddText);
}

const event = fc.record({
  name: orOdd("update", "client-x"),
  data: orOdd("{}", "text"),
  channel: orOdd("news", "cache-a", "presence-a", "#server-to-user-ann"),
  channels: fc.oneof(fc.constant(["news", "presence-a"]), fc.array(oddText)),
  socket_id: orOdd("1.1"),
  info: orOdd("subscription_count"),
}, { requiredKeys: ["name", "data"] });

const batch = fc.record({ batch: fc.array(event, { maxLength: 11 }) });

/** A body for a call: mostly JSON of the right form, made a little wrong at times. */
function bodyFor(
  { method, path }: Pick<ApiCall, "method" | "path">,
): fc.Arbitrary<ApiCall["body"]> {
  const isUpdate = /^channels\/.*\/users\//.test(path);
  const isRight = method === "POST" && (isUpdate || path.endsWith("events"));
  const sent: fc.Arbitrary<unknown> = path === "batch_events" ? batch : event;
  const value = isUpdate ? memberUpdate : sent;
  const rightBody = fc.tuple(value, few(mutation))
    .map(([value, mutations]) => JSON.stringify(mutations.reduce(mutated, value)));
  return fc.oneof(
    { weight: 16, arbitrary: isRight ? rightBody : fc.constant(undefined) },
    { weight: 2, arbitrary: oddJson },
    { weight: 1, arbitrary: bytes },
    { weight: 1, arbitrary: fc.constantFrom("", "x".repeat(1_100_000)) },
  );
}

const query = few(
  fc.tuple(
    fc.oneof(
      fc.constantFrom("info", "filter_by_prefix", "auth_key", "auth_timestamp", "info[]"),
      fc.constantFrom("auth_version", "body_md5", "__proto__", "INFO", "auth_signature"),
      oddText,
    ),
    fc.oneof(
      fc.constantFrom("user_count", "subscription_count,cache", "presence-", "1.0"),
      oddText,
      oddValue.map((value) => JSON.stringify(value)),
    ),
  ),
);

const header = fc.tuple(
  fc.oneof(
    fc.constantFrom("Content-Length", "Transfer-Encoding", "Expect", "Upgrade", "Host", "Cookie"),
    fc.constantFrom("Content-Type", "Content-Encoding", "Connection", "X-Forwarded-For"),
    oddText,
  ),
  fc.oneof(
    fc.constantFrom("0", "-1", "1e9", "chunked", "100-continue", "websocket", "[::1", "gzip"),
    fc.constant("x".repeat(20_000)),
    oddText,
  ),
);

/** Mostly the first. */
function mostly<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));
}

/** Calls of every kind. */
export const apiCall: fc.Arbitrary<ApiCall> = call.chain((which) =>
  fc.record({
    method: fc.constant(which.method),
    path: fc.constant(which.path),
    body: bodyFor(which),
    app: mostly(0, ...apps.keys()),
    prefix: mostly("", "/behind/a/proxy", "/apps/1", "//"),
    query,
    digest: mostly<ApiCall["digest"]>("right", "another", "none"),
    signs: mostly<ApiCall["signs"]>("right", "another", "none"),
    headers: few(header),
    edits: few(edit),
    sends: mostly(1, 0, 0.5),
  })
);

/** Sends a call and reads what is answered. */
export async function sendCall(port: number, call: ApiCall): Promise<HttpAnswer | undefined> {
  const sentBody = typeof call.body === "string"
    ? new TextEncoder().encode(call.body)
    : call.body ?? new Uint8Array();
  const head = [
    `${call.method} ${call.edits.reduce(edited, targetOf(call, sentBody))} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: close",
    ...(sentBody.length > 0 ? [`Content-Length: ${sentBody.length}`] : []),
    ...call.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const part = sentBody.subarray(0, Math.floor(call.sends * sentBody.length));
  return await exchange(port, `${head.join("\r\n")}\r\n\r\n`, part, isWhole(call));
}

/** Whether the end of the request is clear, so that the server must answer it. */
function isWhole({ edits, headers, sends }: ApiCall): boolean {
  return edits.length + headers.length === 0 && sends === 1;
}

/** The path and query, signed. */
function targetOf(call: ApiCall, sentBody: Uint8Array): string {
  const app = apps[call.app];
  const path = `/apps/${encoded(app.id)}/${call.path}`;
  const md5 = createHash("md5").update(call.digest === "another" ? "another" : sentBody);
  const parameters: [string, string][] = [
    ["auth_key", app.key],
    ["auth_timestamp", String(Math.floor(Date.now() / 1000))],
    ["auth_version", "1.0"],
    ...(call.digest === "none" ? [] : [["body_md5", md5.digest("hex")] as [string, string]]),
    ...call.query.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
  ];
  const signed = parameters.map(([name, value]) => [name.toLowerCase(), value])
    .sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0)
    .map((pair) => pair.join("=")).join("&");
  const secret = call.signs === "right" ? app.secret : "of-another-app";
  const signature = signRequest({ ...app, secret }, requestText(call.method, path, signed));
  if (call.signs !== "none") parameters.push(["auth_signature", signature]);
  return `${call.prefix}${path}?${new URLSearchParams(parameters)}`;
}
