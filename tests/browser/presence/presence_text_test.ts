import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { initialPresence, reducePresence } from "../../../browser/presence/presence.ts";
import {
  announcement,
  chartText,
  clockText,
  unitText,
} from "../../../browser/presence/presence_text.ts";
import { holdBackMs } from "../../../browser/page/throttled.ts";

describe("the words beside the number", () => {
  it("say users online, one user online, and whether the reader is among them", () => {
    assert.equal(unitText(12, true), "users online, including you");
    assert.equal(unitText(1, true), "user online, including you");
    assert.equal(unitText(0, false), "users online");
  });

  it("give the time as the reader writes it, and say when it is not the reader's own", () => {
    const time = Date.UTC(2026, 10, 21, 3, 4, 5);
    assert.equal(clockText(time, "UTC"), "03:04:05 UTC");
    assert.match(clockText(time, "local"), /^\d{1,2}:\d\d:05( [AP]M)?$/);
  });
});

describe("the chart's text alternative", () => {
  it("gives the number, and doubts it when it is not live", () => {
    assert.equal(chartText(12, "live"), "Bar chart with one bar. Online: 12.");
    assert.match(chartText(12, "stale"), /Online: 12\. Stale: .* out of date/);
    assert.match(chartText(null, "connecting"), /Not known yet/);
  });
});

describe("what is read out", () => {
  const connecting = initialPresence(0);
  const live = reducePresence(connecting, { type: "here", ids: ["a", "b"], at: 0 });

  it("is nothing before the first list, then the number", () => {
    assert.equal(announcement(2, connecting), "");
    assert.equal(announcement(2, live), "2 users online");
  });

  it("is the status and the reason when the number is in doubt", () => {
    const dropped = reducePresence(live, { type: "dropped", at: 1 });
    assert.equal(announcement(2, dropped), "Reconnecting. 2 users online when last heard.");
    const refused = reducePresence(live, { type: "refused", reason: "Sign in again.", at: 1 });
    assert.match(announcement(2, refused), /^Refused\. .* Sign in again\.$/);
  });

  it("is held back until the interval since the last time is over", () => {
    assert.equal(holdBackMs(null, 100, 5_000), 0);
    assert.equal(holdBackMs(100, 1_100, 5_000), 4_000);
    assert.equal(holdBackMs(100, 9_000, 5_000), 0);
  });
});
