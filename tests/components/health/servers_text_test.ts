import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { isServerMissing, reportedText, serversText } from "@/components/health/health_text.ts";

describe("the texts of several servers", () => {
  it("have how many answer", () => {
    assert.equal(serversText({ alive: 2, known: 3 }), "2 of 3 servers");
    assert.equal(serversText({ alive: 1, known: 1 }), "1 of 1 server");
  });

  it("have when a server last reported", () => {
    const ages = [-5_000, 400, 1_400, 119_000, 120_000].map((age) => reportedText(-age, 0));
    assert.deepEqual(ages, ["now", "now", "1 s ago", "119 s ago", "2 min ago"]);
  });
});

describe("a server", () => {
  it("is missing when fewer answer than are known, unless no reports arrive here", () => {
    const view = { alive: 2, known: 3, staleSince: null, rows: [] };
    assert.equal(isServerMissing(view), true);
    assert.equal(isServerMissing({ ...view, alive: 3 }), false);
    assert.equal(isServerMissing({ ...view, staleSince: 7 }), false);
  });
});
