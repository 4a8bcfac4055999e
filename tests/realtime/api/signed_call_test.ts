import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { signRequest } from "@/realtime/protocol/signature.ts";
import {
  authenticated,
  md5,
  posted,
  reasonOf,
  type Refused,
  testRefusal,
  written,
} from "./harness.ts";
import { app } from "../harness.ts";

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

const word = fc.stringMatching(/^[A-Za-z0-9_\-=@,.; é%+]{0,12}$/);
const names = ["info", "filter_by_prefix", "body_md5", "note"];
const call = fc.record({
  method: fc.constantFrom("GET", "POST"),
  pathname: fc.constantFrom("/apps/1/events", "/apps/1/channels", "/apps/1/channels/a/users"),
  parameters: fc.dictionary(fc.constantFrom(...names), word, { noNullPrototype: true }),
});

function querySigned(
  { method, pathname, parameters }: { method: string; pathname: string; parameters: object },
): [pairs: [string, string][], signature: string] {
  const given = Object.entries({
    ...parameters,
    auth_key: app.key,
    auth_timestamp: "1353088179",
    auth_version: "1.0",
  }).sort(([one], [other]) => one < other ? -1 : 1);
  const text = given.map((pair) => pair.join("=")).join("&");
  return [given, signRequest(app, `${method}\n${pathname}\n${text}`)];
}

function sent(pairs: [string, string][], signature: string): string {
  return new URLSearchParams([...pairs, ["auth_signature", signature]]).toString();
}

/** Text that has only one spelling in a query, so that every change is one. */
const plainWord = fc.stringMatching(/^[A-Za-z0-9_\-=@,.;é]{0,12}$/);

/** Every way in which a signed call can be changed. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("value" as const), at: fc.nat(), by: plainWord }),
  fc.record({ kind: fc.constant("removed" as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant("added" as const),
    name: fc.constantFrom("x", "info"),
    by: plainWord,
  }),
  fc.record({ kind: fc.constant("signature" as const), at: fc.nat(), by: fc.nat(14) }),
  fc.record({ kind: fc.constant("method" as const) }),
  fc.record({ kind: fc.constant("path" as const), at: fc.nat(), by: fc.stringMatching(/^[a-z]$/) }),
);

describe("A signed call", () => {
  it("is accepted with exactly its parameters, in any order", () => {
    fc.assert(
      fc.property(call, fc.infiniteStream(fc.nat()), (given, order) => {
        const [pairs, signature] = querySigned(given);
        const shuffled = pairs.map((pair) => ({ pair, at: order.next().value ?? 0 }))
          .sort((one, other) => one.at - other.at).map(({ pair }) => pair);
        const query = sent(shuffled, signature);
        const parameters = authenticated(given.pathname, query, given.method);
        assert.deepEqual({ ...parameters }, {
          ...Object.fromEntries(pairs),
          auth_signature: signature,
        });
      }),
      { numRuns: 300 },
    );
  });

  it("is refused for a path that only looks like the signed one when it is unescaped", () => {
    const signed = written({ path: "/apps/1/channels/presence-a/users" });
    const reasonAt = (path: string) =>
      reasonOf(() => authenticated(path, signed.query, "GET", Date.now()));
    assert.equal(reasonAt(signed.path), "accepted");
    assert.equal(reasonAt("/apps/1/channels/presence-a%2Fusers"), "invalid_signature");
  });

  it("is refused after any change", () => {
    fc.assert(
      fc.property(call, change, (given, by) => {
        const [pairs, signature] = querySigned(given);
        let { method, pathname } = given;
        let changed = pairs.map(([name, value]): [string, string] => [name, value]);
        let written = signature;
        if (by.kind === "value") {
          const at = by.at % changed.length;
          fc.pre(changed[at][1] !== by.by);
          changed[at][1] = by.by;
        } else if (by.kind === "removed") {
          changed = changed.toSpliced(by.at % changed.length, 1);
        } else if (by.kind === "added") changed.push([by.name, by.by]);
        else if (by.kind === "signature") {
          const at = by.at % written.length;
          const digit = (parseInt(written[at], 16) + 1 + by.by) % 16;
          written = written.slice(0, at) + digit.toString(16) + written.slice(at + 1);
        } else if (by.kind === "method") method = method === "GET" ? "POST" : "GET";
        else {
          const at = "/apps/1/".length + by.at % (pathname.length - "/apps/1/".length + 1);
          pathname = pathname.slice(0, at) + by.by + pathname.slice(at);
        }
        const query = sent(changed, written);
        assert.notEqual(reasonOf(() => authenticated(pathname, query, method)), "accepted");
      }),
      { numRuns: 2_000 },
    );
  });
});
