import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  isServerMissing,
  memoryText,
  outageText,
  rateText,
  refusalCount,
  reportedText,
  serversText,
} from "@/components/health/health_text.ts";

describe("the texts of the server's health", () => {
  it("have rates below 10 with a digit after the point, others as whole numbers", () => {
    assert.equal(rateText(null), "–");
    assert.equal(rateText(2.44), "2.4");
    assert.equal(rateText(1_234.5), "1,235");
  });

  it("have the memory in megabytes, and refusals as a sum", () => {
    assert.equal(memoryText(123_400_000), "123 MB");
    assert.equal(memoryText(1_812_000_000), "1,812 MB");
    const health = { refusals: { frameBytes: 2, channels: 1 } };
    assert.equal(refusalCount(health), 3);
  });

  it("tell a database that cannot be written from one that is away", () => {
    const outage = { since: 0, reason: "the disk is full" };
    assert.equal(
      outageText({ ...outage, isReadable: true }),
      "The database cannot be written: the disk is full.",
    );
    assert.match(outageText({ ...outage, isReadable: false }), /^The database is unavailable: /);
  });
});

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
