import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  limitText,
  memoryText,
  outageText,
  rateText,
  refusalCount,
  uptimeText,
} from "@/components/health/health_text.ts";

describe("the texts of the server's health", () => {
  it("have the uptime in its two largest units", () => {
    const table: [seconds: number, text: string][] = [
      [0, "0 s"],
      [59, "59 s"],
      [61, "1 min 1 s"],
      [3 * 3_600 + 12 * 60 + 5, "3 h 12 min"],
      [86_400 * 40 + 30, "40 d 0 h"],
    ];
    for (const [seconds, text] of table) assert.equal(uptimeText(seconds), text);
  });

  it("have rates below 10 with a digit after the point, others as whole numbers", () => {
    assert.equal(rateText(null), "–");
    assert.equal(rateText(2.44), "2.4");
    assert.equal(rateText(1_234.5), "1,235");
  });

  it("have the memory in megabytes, and refusals as a sum and by limit", () => {
    assert.equal(memoryText(123_400_000), "123 MB");
    assert.equal(memoryText(1_812_000_000), "1,812 MB");
    const health = { refusals: { frameBytes: 2, channels: 1 } };
    assert.equal(refusalCount(health), 3);
    assert.equal(limitText("connectionsOfApp"), "connections per app");
    assert.match(limitText("connectionsOfAddress"), /^connections per address: .*TRUSTED_PROXIES;/);
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
