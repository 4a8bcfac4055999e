import assert from "node:assert/strict";
import fc from "fast-check";
import type { FuzzedPages } from "./fuzzed_server.ts";
import { exchange } from "./wire.ts";
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

/** A request for a page or an auth route. */
export interface PageRequest {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  /** Whether it comes from the admin, with the token of her page. */
  isSigned: boolean;
  type: string;
  body: string | Uint8Array;
  /** Changes of the cookies that are sent. */
  cookieEdits: Edit[];
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

const fields = fc.oneof(
  fc.record({
    socket_id: fc.oneof(fc.constant<unknown>("1.1"), oddValue),
    channel_name: fc.oneof(fc.constantFrom<unknown>("presence-chart", "private-a"), oddValue),
  }),
  fc.record({ email: oddValue, password: oddValue, return: oddValue }),
  fc.record({ name: oddValue, email: oddValue, password: fc.constant("short"), role: oddValue }),
  fc.record({ token: oddValue, name: oddValue, email: oddValue, _token: oddValue }),
);

const jsonBody = fc.tuple(fields, few(mutation))
  .map(([value, mutations]) => JSON.stringify(mutations.reduce<unknown>(mutated, value)));

const formBody = fields.map((value) =>
  Object.entries(value).map(([name, text]) =>
    `${name}=${encoded(typeof text === "string" ? text : JSON.stringify(text))}`
  ).join("&")
);

const content = fc.oneof(
  { weight: 4, arbitrary: jsonBody.map((body) => ({ type: "application/json", body })) },
  {
    weight: 4,
    arbitrary: formBody.map((body) => ({ type: "application/x-www-form-urlencoded", body })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom("application/json", "application/json; charset=x", "text/plain", ";"),
      body: fc.oneof(oddJson, bytes, fc.constant("x".repeat(70_000))),
    }),
  },
);

const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "/",
      "/setup",
      "/setup?token=x",
      "/sign-in",
      "/sign-in?return=//elsewhere",
      "/admin",
      "/admin/online",
      "/admin/online/snapshot",
      "/admin/settings/team",
      "/up",
      "/metrics",
      "/broadcasting/auth",
      "/broadcasting/user-auth",
    ),
  },
  oddText.map((text) => `/admin/settings/team/${encoded(text)}/disable`),
  oddText.map((text) => `/sign-in?return=${encoded(text)}&${encoded(text)}`),
  oddText.map((text) => `/${encoded(text)}`),
  fc.constantFrom("/%", "/%00", "/..//%2e%2e/etc", "//", "/_fresh/", "/app/", "/apps/", "*"),
);

const header = fc.tuple(
  fc.constantFrom("Cookie", "Accept", "Origin", "Referer", "Host", "X-CSRF-TOKEN", "X-Socket-Id"),
  oddText.map((text) => text.replaceAll(/[\0\r\n]/g, "")),
);

/** Any of them. */
export const pageRequest: fc.Arbitrary<PageRequest> = content.chain(({ type, body }) =>
  fc.record({
    method: fc.constantFrom("GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS"),
    path,
    headers: few(header),
    isSigned: fc.boolean(),
    type: fc.constant(type),
    body: fc.constant(body),
    cookieEdits: few(edit),
  })
);

/** Sends it, and checks that the server does not say that it failed. */
export async function sendPageRequest(
  { port, admin }: FuzzedPages,
  request: PageRequest,
): Promise<void> {
  const body = typeof request.body === "string"
    ? new TextEncoder().encode(request.body)
    : request.body;
  const cookies = [...admin.cookies].map((pair) => pair.join("=")).join("; ");
  const head = [
    `${request.method} ${request.path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: close",
    `Content-Type: ${request.type}`,
    `Content-Length: ${body.length}`,
    ...(request.isSigned
      ? [
        `X-CSRF-TOKEN: ${admin.csrfToken}`,
        `Cookie: ${request.cookieEdits.reduce(edited, cookies).replaceAll(/[\0\r\n]/g, "")}`,
      ]
      : []),
    ...request.headers.map((pair) => pair.join(": ")),
  ].join("\r\n");
  const answer = await exchange(port, `${head}\r\n\r\n`, body, false);
  if (answer) assert.ok(answer.status >= 200 && answer.status < 500, `${answer.status}`);
}
