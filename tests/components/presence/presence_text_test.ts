import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { initialPresence, reducePresence } from "@/components/presence/presence.ts";
import { announcement, chartText } from "@/components/presence/chart_text.ts";
import { unitText } from "@/components/presence/presence_text.ts";
import { holdBackMs } from "@/components/page/timing.ts";

describe("the unit beside the number", () => {
  it("is in the singular for 1, and names the reader who is counted", () => {
    assert.equal(unitText(12, true), "users online, including you");
    assert.equal(unitText(1, true), "user online, including you");
    assert.equal(unitText(1, false), "user online, not including you");
    assert.equal(unitText(0), "users online");
  });
});

describe("the text alternative of the online chart", () => {
  it("has the number, and a warning unless it is live", () => {
    assert.equal(chartText(1_200, "live"), "Bar chart: 1,200 users online.");
    assert.equal(
      chartText(12, "stale"),
      "Bar chart: 12 users online. This number may be out of date.",
    );
    assert.equal(
      chartText(null, "connecting"),
      "Bar chart: number of users online. Waiting for data.",
    );
  });
});

describe("the announcement for screen readers", () => {
  const connecting = initialPresence(0);
  const live = reducePresence(connecting, { type: "here", ids: ["a", "b"], at: 0 });

  it("is empty before the first list, then the number", () => {
    assert.equal(announcement(2, connecting), "");
    assert.equal(announcement(2, live), "2 users online");
  });

  it("has the status and the reason when the number is not live", () => {
    const dropped = reducePresence(live, { type: "dropped", at: 1 });
    assert.equal(announcement(2, dropped), "Reconnecting. 2 users online at last update.");
    const refused = reducePresence(live, { type: "refused", reason: "Sign in again.", at: 1 });
    assert.match(announcement(2, refused), /^Disconnected\. .* Sign in again\.$/);
  });

  it("is held back until the interval since the last one is over", () => {
    assert.equal(holdBackMs(null, 100, 5_000), 0);
    assert.equal(holdBackMs(100, 1_100, 5_000), 4_000);
    assert.equal(holdBackMs(100, 9_000, 5_000), 0);
  });
});
