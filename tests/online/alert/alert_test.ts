import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import {
  type AlertSetting,
  alertSettingSchema,
  crossing,
  type Side,
  sideOf,
} from "../../../online/alert/alert.ts";

const counts = fc.array(fc.nat(6), { maxLength: 50 });
const users = fc.integer({ min: 1, max: 6 });

function setting(change: Partial<AlertSetting> = {}): AlertSetting {
  return { enabled: true, users: 3, direction: "up", ...change };
}

/** The indexes of the counts that cross. */
function crossings(setting: AlertSetting, first: number, counts: number[]): number[] {
  let side: Side = sideOf(setting, first);
  return counts.flatMap((count, index) => {
    const result = crossing(setting, side, count);
    side = result.side;
    return result.crossed ? [index] : [];
  });
}

describe("an alert", () => {
  it("crosses once each time the threshold is reached, or undercut, by its direction", () => {
    const course = [2, 3, 4, 3, 2, 0, 9, 2];
    assert.deepEqual(crossings(setting(), 0, course), [1, 6]);
    assert.deepEqual(crossings(setting({ direction: "down" }), 0, course), [4, 7]);
    assert.deepEqual(crossings(setting({ enabled: false }), 0, course), []);
  });

  it("alternates between crossings up and down over any course of counts", () => {
    fc.assert(fc.property(users, fc.nat(6), counts, (users, first, counts) => {
      const up = crossings(setting({ users }), first, counts);
      const down = crossings(setting({ users, direction: "down" }), first, counts);
      const expected = counts.flatMap((count, index) => {
        const before = index === 0 ? first : counts[index - 1];
        return (count >= users) === (before >= users) ? [] : [index];
      });
      assert.deepEqual([...up, ...down].sort((a, b) => a - b), expected);
      const turns = expected.map((index) => up.includes(index));
      assert(turns.every((isUp, index) => index === 0 || isUp !== turns[index - 1]));
    }));
  });

  it("accepts only a valid setting", () => {
    const webhookUrl = "https://example.org/alert";
    assert(alertSettingSchema.safeParse(setting({ webhookUrl })).success);
    for (
      const [field, value] of [
        ["users", 0],
        ["users", 1.5],
        ["users", 1_000_001],
        ["users", NaN],
        ["direction", "sideways"],
        ["enabled", "yes"],
        ["webhookUrl", "example.org"],
        ["webhookUrl", "javascript:alert(1)"],
        ["webhookUrl", "file:///etc/passwd"],
        ["webhookUrl", "https://ada@example.org/"],
        ["webhookUrl", "https://:secret@example.org/"],
        ["webhookUrl", "https://example.org/#part"],
        ["webhookUrl", "https://example.org/" + "x".repeat(2_000)],
      ] as const
    ) {
      const parsed = alertSettingSchema.safeParse({ ...setting(), [field]: value });
      assert.equal(parsed.error?.issues[0].path.join("."), field, String(value));
    }
  });
});
