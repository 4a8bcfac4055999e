import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import {
  carriedOver,
  dueAt,
  follow,
  meets,
  newPhaseState,
  type PhaseState,
  readAlertSetting,
} from "@/server/alert/stored_alert.ts";
import type { AlertPhase, Threshold } from "@/shared/alert.ts";

/** A number of users, and for how many seconds it stays. */
type Stay = [users: number, seconds: number];

/** A phase that was entered, and when, in seconds. */
type Entered = [phase: AlertPhase, at: number];

const threshold = (change: Partial<Threshold> = {}): Threshold => ({
  users: 25,
  direction: "up",
  holdSeconds: 60,
  ...change,
});

/** The phases that are entered over a course of numbers, as a watch with a timer finds them. */
function phasesOf(threshold: Threshold, stays: Stay[]): Entered[] {
  const entered: Entered[] = [];
  let phaseState: PhaseState = newPhaseState("normal");
  let now = 0;
  const see = (users: number, at: number) => {
    const after = follow(threshold, phaseState, { users, at });
    if (after.phase !== phaseState.phase) entered.push([after.phase, at / 1_000]);
    phaseState = after;
  };
  for (const [users, seconds] of stays) {
    see(users, now);
    const end = now + seconds * 1_000;
    for (let due = dueAt(threshold, phaseState); due !== null && due <= end;) {
      see(users, due);
      const next = dueAt(threshold, phaseState);
      assert.notEqual(next, due, "what was due has happened");
      due = next;
    }
    now = end;
  }
  return entered;
}

/** What the documents say, second by second. */
function expectedPhases({ users, direction, holdSeconds }: Threshold, stays: Stay[]): Entered[] {
  const margin = Math.floor(users * 0.05);
  const isBeyond = (count: number) => direction === "up" ? count >= users : count < users;
  const isBack = (count: number) =>
    direction === "up" ? count < users - margin : count >= users + margin;
  const seconds = stays.flatMap(([count, length]) => Array<number>(length).fill(count));
  const entered: Entered[] = [];
  let [isActive, held] = [false, 0];
  seconds.forEach((count, second) => {
    const terms = isActive ? isBack(count) : isBeyond(count);
    held = terms ? held + 1 : 0;
    if (holdSeconds === 0 && terms) entered.push([isActive ? "normal" : "active", second]);
    if (holdSeconds > 0 && held === holdSeconds) {
      entered.push([isActive ? "normal" : "active", second + 1]);
    }
    if (terms && held >= holdSeconds) [isActive, held] = [!isActive, 0];
  });
  return entered;
}

const thresholds = fc.record({
  users: fc.integer({ min: 1, max: 60 }),
  direction: fc.constantFrom("up" as const, "down" as const),
  holdSeconds: fc.integer({ min: 0, max: 5 }),
});
const courses = fc.array(
  fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 8 })),
  { maxLength: 30 },
);

describe("the course of an alert", () => {
  it("becomes active once the number has held for the time, and normal once it is back as long", () => {
    const stays: Stay[] = [[24, 100], [25, 59], [24, 1], [26, 60], [22, 60], [30, 200]];
    assert.deepEqual(phasesOf(threshold(), stays), [["active", 220], ["normal", 280], [
      "active",
      340,
    ]]);
  });

  it("stays as it is while the number moves around the threshold", () => {
    const around: Stay[] = Array.from({ length: 100 }, (_, index) => [20 + index % 6, 2]);
    assert.deepEqual(phasesOf(threshold(), around), []);
    const close: Stay[] = Array.from({ length: 100 }, (_, index) => [24 + index % 2, 70]);
    assert.deepEqual(phasesOf(threshold(), close), [["active", 130]]);
  });

  it("terms at once without a time to hold, with 5 % between the two conditions", () => {
    const at = (users: number, direction: Threshold["direction"]) =>
      threshold({ users, direction, holdSeconds: 0 });
    assert.deepEqual(phasesOf(at(100, "up"), [[99, 1], [100, 1], [95, 1], [94, 1]]), [
      ["active", 1],
      ["normal", 3],
    ]);
    assert.deepEqual(phasesOf(at(100, "down"), [[100, 1], [99, 1], [104, 1], [105, 1]]), [
      ["active", 1],
      ["normal", 3],
    ]);
    assert.deepEqual(phasesOf(at(2, "up"), [[2, 1], [1, 1]]), [["active", 0], ["normal", 1]]);
  });

  it("matches the documents over any threshold and course of numbers", () => {
    fc.assert(fc.property(thresholds, courses, (threshold, stays) => {
      assert.deepEqual(phasesOf(threshold, stays), expectedPhases(threshold, stays));
    }));
  });

  it("begins with active, alternates, and leaves the time to hold between two phases", () => {
    fc.assert(fc.property(thresholds, courses, (threshold, stays) => {
      const entered = phasesOf(threshold, stays);
      entered.forEach(([phase, at], index) => {
        assert.equal(phase, index % 2 === 0 ? "active" : "normal");
        if (index > 0) assert.ok(at - entered[index - 1][1] >= threshold.holdSeconds);
      });
    }));
  });

  it("is the same however often a number is seen", () => {
    fc.assert(fc.property(thresholds, courses, (threshold, stays) => {
      const often = stays.flatMap(([users, seconds]) =>
        Array.from({ length: seconds }, (): Stay => [users, 1])
      );
      assert.deepEqual(phasesOf(threshold, often), phasesOf(threshold, stays));
    }));
  });

  it("never meets both conditions, and can always become normal again", () => {
    fc.assert(fc.property(thresholds, fc.nat(70), (threshold, users) => {
      assert.ok(!(meets(threshold, "active", users) && meets(threshold, "normal", users)));
      const back = threshold.direction === "up" ? 0 : 1_000_000;
      assert.ok(meets(threshold, "normal", back));
    }));
  });

  it("stays active under a new threshold until the number is normal by that", () => {
    assert.equal(carriedOver(threshold(), "active", 30), "active");
    assert.equal(carriedOver(threshold(), "active", 24), "active", "it is not back yet");
    assert.equal(carriedOver(threshold(), "active", 23), "normal");
    assert.equal(carriedOver(threshold(), "normal", 30), "normal");
    assert.equal(carriedOver(threshold({ direction: "down" }), "active", 30), "normal");
  });
});

const setting = { enabled: true, users: 3, direction: "up", holdSeconds: 60 };

describe("the setting of an alert", () => {
  it("is read with a webhook or without", () => {
    for (const given of [setting, { ...setting, webhookUrl: "https://example.org/alert" }]) {
      assert.deepEqual(readAlertSetting(given), { ok: true, setting: given });
    }
  });

  const invalid: [field: string, value: unknown][] = [
    ["users", 0],
    ["users", 1.5],
    ["users", 1_000_001],
    ["users", NaN],
    ["direction", "sideways"],
    ["enabled", "yes"],
    ["holdSeconds", -1],
    ["holdSeconds", 0.5],
    ["holdSeconds", 3_601],
    ["holdSeconds", undefined],
    ["webhookUrl", "example.org"],
    ["webhookUrl", "javascript:alert(1)"],
    ["webhookUrl", "file:///etc/passwd"],
    ["webhookUrl", "https://ada@example.org/"],
    ["webhookUrl", "https://:secret@example.org/"],
    ["webhookUrl", "https://example.org/#part"],
    ["webhookUrl", "https://example.org/" + "x".repeat(2_000)],
  ];
  for (const [field, value] of invalid) {
    it(`is refused with ${field} ${String(value).slice(0, 40)}, and the field is named`, () => {
      const read = readAlertSetting({ ...setting, [field]: value });
      assert.equal(read.ok ? "" : read.field, field);
    });
  }
});
