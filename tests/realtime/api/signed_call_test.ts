import { describe } from "@std/testing/bdd";
import { type Refused, testRefusal } from "./refused.ts";
import { md5, posted, written } from "./harness.ts";

const event = { name: "e", channel: "news", data: "{}" };

const rows: Omit<Refused, "status">[] = [
  ...["auth_key", "auth_version", "auth_timestamp"].map((name) => ({
    what: `no ${name}`,
    call: () => written({ query: { [name]: undefined } }),
    reason: "missing_parameter",
    message: new RegExp(name),
  })),
  {
    what: "no signature",
    call: () => ({ ...written(), query: written().query.replace(/&auth_signature=.*/, "") }),
    reason: "missing_parameter",
    message: /auth_signature/,
  },
  {
    what: "nothing in the query",
    call: { method: "GET", path: "/apps/1/channels", query: "" },
    reason: "missing_parameter",
    message: /auth_key/,
  },
  {
    what: "another key",
    call: () => written({ query: { auth_key: "other" } }),
    reason: "unknown_key",
    message: /auth_key/,
  },
  {
    what: "another version",
    call: () => written({ query: { auth_version: "1.1" } }),
    reason: "unknown_version",
    message: /auth_version must be 1.0/,
  },
  ...["now", "-1", "1.5", "1e9", ""].map((auth_timestamp) => ({
    what: `the time ${JSON.stringify(auth_timestamp)}`,
    call: () => written({ query: { auth_timestamp } }),
    reason: auth_timestamp ? "invalid_timestamp" : "missing_parameter",
    message: /auth_timestamp/,
  })),
  ...[-700, 700].map((seconds) => ({
    what: `a time that is ${seconds} seconds off`,
    call: () =>
      written({ query: { auth_timestamp: `${Math.floor(Date.now() / 1000) + seconds}` } }),
    reason: "expired_timestamp",
    message: /(699|70[01]) seconds off/,
  })),
  {
    what: "another secret",
    call: () => written({ secret: "other" }),
    reason: "invalid_signature",
    message: /HMAC SHA256 hex digest/,
  },
  {
    what: "a signature of another length",
    call: () => ({ ...written(), query: `${written().query}0` }),
    reason: "invalid_signature",
    message: /auth_signature/,
  },
  {
    what: "a query that is no percent-encoding",
    call: () => ({ ...written(), query: `${written().query}&a=%ff` }),
    reason: "invalid_signature",
    message: /auth_signature/,
  },
  {
    what: "a body that is not the signed one",
    call: () => ({
      ...posted("/apps/1/events", event),
      body: JSON.stringify({ ...event, name: "other" }),
    }),
    reason: "invalid_body_md5",
    message: /body_md5/,
  },
  {
    what: "a body whose digest is not signed",
    call: () => ({
      ...written({ method: "POST", path: "/apps/1/events" }),
      body: JSON.stringify(event),
    }),
    reason: "missing_parameter",
    message: /body_md5/,
  },
  {
    what: "a digest without a body",
    call: () => written({ query: { body_md5: md5("{}") } }),
    reason: "invalid_body_md5",
    message: /body_md5/,
  },
];

describe("A call of the HTTP API is refused with", () => {
  for (const row of rows) testRefusal({ ...row, status: 401 });
});
