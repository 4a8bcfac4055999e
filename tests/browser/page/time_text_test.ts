import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { agoText, exactText, type Place, serverPlace } from "../../../browser/page/time_text.ts";

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const now = Date.UTC(2026, 2, 14, 15, 9, 26);

describe("how long ago", () => {
  for (
    const [age, words] of [
      [0, "< 1 min"],
      [-5 * second, "< 1 min"],
      [59 * second, "< 1 min"],
      [minute, "1 min"],
      [59 * minute, "59 min"],
      [hour, "1 hr"],
      [day - 1, "23 hr"],
    ] as const
  ) {
    it(`${age} ms is ${words}`, () => assert.equal(agoText(now - age, now, serverPlace), words));
  }

  it("is a date from a day on, in UTC on the server, which is said", () => {
    assert.match(agoText(now - day, now, serverPlace), /^Mar 13, 0?3:09\sPM UTC$/);
  });

  it("is told in the reader's language", () => {
    const german: Place = { locale: "de", zone: "local" };
    assert.equal(agoText(now - 2 * hour, now, german), "2 Std.");
  });
});

describe("the exact time", () => {
  it("says the zone where it is not the reader's own", () => {
    assert.match(exactText(now, serverPlace), /^Mar 14, 2026, 3:09:26\sPM UTC$/);
    const local = exactText(now, { locale: "en", zone: "local" });
    assert.doesNotMatch(local, /UTC/);
    assert.match(local, /2026.*\d:26/);
  });
});
