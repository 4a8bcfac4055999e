import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Close, closeCodes, closes } from "@/realtime/protocol/close_codes.ts";
import { byteLength } from "@/realtime/protocol/outgoing.ts";

/** Every close; a function's is with its longest argument. */
const all: [name: string, close: Close][] = [
  ...Object.entries(closes)
    .flatMap(([name, close]): [string, Close][] =>
      typeof close === "function" ? [] : [[name, close]]
    ),
  ["noSuchApp", closes.noSuchApp("k".repeat(1_000))],
  ["appFull", closes.appFull(1_000_000)],
  ["addressFull", closes.addressFull(1_000_000)],
];

describe("The list of closes", () => {
  it("has a known code and a reason for each, short enough for a close frame", () => {
    assert.equal(all.length, Object.keys(closes).length);
    for (const [name, { code, reason }] of all) {
      assert.ok(Object.values<number>(closeCodes).includes(code), name);
      assert.ok(reason.length > 0 && byteLength(reason) <= 123, name);
    }
  });

  it("lets clients return after closes that pass, and stops them after closes that do not", () => {
    const returning = all.filter(([, { code }]) => code >= 4100).map(([name]) => name);
    assert.deepEqual(returning.sort(), [
      "addressFull",
      "sendBufferFull",
      "sendBufferStalled",
      "sendingAway",
      "sentAway",
      "serverFailed",
      "serverFull",
      "serverStopped",
      "serverStopping",
      "signAgain",
    ]);
    const isAtOnce = ({ code }: Close) => code >= 4200;
    assert.ok(isAtOnce(closes.serverStopped), "the next server may be there");
    assert.ok(isAtOnce(closes.sentAway), "another server is there");
    assert.ok(!isAtOnce(closes.serverStopping) && !isAtOnce(closes.serverFull));
    assert.ok(!isAtOnce(closes.sendingAway), "the balancer may not know it yet");
  });
});
