import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { textOf, webhookBody } from "@/server/alert/alert_message.ts";
import {
  type Condition,
  decide,
  type Facts,
  measureOf,
  meetsRule,
  newRuleState,
  readRule,
  ruleMessage,
  type RuleSetting,
  type RuleState,
} from "@/server/alert/alert_rules.ts";
import { isQuiet } from "@/server/alert/alert_schemas.ts";
import type { AlertPhase } from "@/shared/alert.ts";

const at = Date.UTC(2026, 0, 15, 12);

const conditions: Record<Condition["kind"], Condition> = {
  threshold: { kind: "threshold", users: 10, direction: "up" },
  fall: { kind: "fall", percent: 30, minutes: 5 },
  usual: { kind: "usual", percent: 50, side: "both" },
  empty: { kind: "empty" },
  record: { kind: "record" },
  person: { kind: "person", userId: "ada", personName: "Ada", change: "both" },
  server: { kind: "server" },
};

function rule(condition: Condition, change: Partial<RuleSetting> = {}): RuleSetting {
  return { name: "Ours", enabled: true, condition, holdSeconds: 0, ...change };
}

function facts(change: Partial<Facts> = {}): Facts {
  return {
    users: 10,
    active: null,
    peak: () => null,
    usual: null,
    newRecord: null,
    has: () => false,
    servers: { alive: 3, known: 3 },
    ...change,
  };
}

const state: RuleState = { phase: "normal", pendingSince: null, told: "normal", since: null };

describe("what a rule is about", () => {
  const cases: [kind: Condition["kind"], facts: Partial<Facts>, phase: AlertPhase | null][] = [
    ["threshold", { users: 10 }, "active"],
    ["threshold", { users: 9 }, "normal"],
    ["fall", { users: 70, peak: () => 100 }, "active"],
    ["fall", { users: 71, peak: () => 100 }, null],
    ["fall", { users: 86, peak: () => 100 }, "normal"],
    ["fall", { users: 100, peak: () => null }, "normal"],
    ["fall", { users: 0, peak: () => 4 }, "normal"],
    ["usual", { users: 50, usual: 100 }, "active"],
    ["usual", { users: 150, usual: 100 }, "active"],
    ["usual", { users: 120, usual: 100 }, "normal"],
    ["usual", { users: 145, usual: 100 }, null],
    ["empty", { users: 0 }, "active"],
    ["empty", { users: 1 }, "normal"],
    ["record", { newRecord: { users: 12, at, fellAt: at, before: 11 } }, "active"],
    ["record", { newRecord: null }, "normal"],
    ["person", { has: (id) => id === "ada" }, "active"],
    ["person", { has: (id) => id === "ben" }, "normal"],
    ["server", { servers: { alive: 2, known: 3 } }, "active"],
    ["server", { servers: { alive: 2, known: 2 } }, "normal"],
  ];
  for (const [kind, change, phase] of cases) {
    it(`${kind}: ${JSON.stringify(change)} is ${phase ?? "between"}`, () => {
      const measure = measureOf(conditions[kind], facts(change));
      assert.ok(measure);
      for (const each of ["active", "normal"] as const) {
        assert.equal(meetsRule(conditions[kind], each, measure.value), each === phase, each);
      }
    });
  }

  it("is not known of active users while no tab reports, and where nothing is usual", () => {
    const active: Condition = { ...conditions.threshold, onlyActive: true } as Condition;
    assert.equal(measureOf(active, facts()), null);
    assert.equal(measureOf(conditions.usual, facts()), null);
    assert.equal(measureOf(conditions.usual, facts({ users: 0, usual: 4 })), null);
  });

  it("is on one side of the usual number where that is wanted", () => {
    const below: Condition = { kind: "usual", percent: 50, side: "below" };
    assert.ok(meetsRule(below, "active", -60));
    assert.ok(!meetsRule(below, "active", 60));
  });

  it("never meets both phases, whatever the number", () => {
    fc.assert(fc.property(
      fc.constantFrom(...Object.values(conditions)),
      fc.double({ min: -2_000, max: 2_000, noNaN: true }),
      (condition, value) => {
        assert.ok(
          !(meetsRule(condition, "active", value) && meetsRule(condition, "normal", value)),
        );
      },
    ));
  });
});

/** Numbers of users, and for how many minutes each stays. */
const courses = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 600 })), { maxLength: 40 });

/** The phases that are told over a course, looked at each minute. */
function toldOver(setting: RuleSetting, course: [users: number, minutes: number][]) {
  const told: { phase: AlertPhase; at: number }[] = [];
  const seen: RuleState[] = [];
  let [now, current] = [at, state];
  for (const [users, minutes] of course) {
    for (let minute = 0; minute < minutes; minute++) {
      const measure = measureOf(setting.condition, facts({ users }));
      const decided = decide(setting, current, measure, now);
      if (decided.isTold) told.push({ phase: decided.state.phase, at: now });
      current = decided.state;
      seen.push(current);
      now += 60_000;
    }
  }
  return { told, seen, current };
}

describe("when a rule is told", () => {
  it("begins with active, alternates, and leaves the time to hold between", () => {
    fc.assert(
      fc.property(courses, fc.nat(7_200), (course, holdSeconds) => {
        const { told } = toldOver(rule(conditions.threshold, { holdSeconds }), course);
        told.forEach(({ phase, at }, index) => {
          assert.equal(phase, index % 2 === 0 ? "active" : "normal");
          if (index > 0) assert.ok(at - told[index - 1].at >= holdSeconds * 1_000);
        });
      }),
      { numRuns: 30 },
    );
  });

  it("is never in quiet hours, and after them what still holds, once", () => {
    const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
    const setting = rule(conditions.threshold, { quiet });
    fc.assert(
      fc.property(courses, (course) => {
        const { told, seen } = toldOver(setting, course);
        for (const { at } of told) assert.ok(!isQuiet(quiet, at));
        told.forEach(({ phase }, index) =>
          assert.equal(phase, index % 2 === 0 ? "active" : "normal")
        );
        seen.forEach(({ phase, told }, minute) => {
          if (!isQuiet(quiet, at + minute * 60_000)) assert.equal(told, phase);
        });
      }),
      { numRuns: 30 },
    );
  });

  it("is nothing of what began and ended in quiet hours", () => {
    const quiet = { from: "12:00", to: "13:00", zone: "UTC" };
    const setting = rule(conditions.threshold, { quiet });
    assert.deepEqual(toldOver(setting, [[10, 30], [0, 300]]).told, []);
    const { told } = toldOver(setting, [[10, 90], [0, 1]]);
    assert.deepEqual(told.map(({ phase, at: time }) => [phase, time - at]), [
      ["active", 60 * 60_000],
      ["normal", 90 * 60_000],
    ]);
  });

  it("is only coming or only going of a person, where that is wanted", () => {
    const told = (change: "comes" | "goes" | "both") => {
      const condition = { ...conditions.person, change } as Condition;
      let current = state;
      return [true, false, true, false].flatMap((isOnline) => {
        const measure = measureOf(condition, facts({ has: () => isOnline }));
        const decided = decide(rule(condition), current, measure, at);
        current = decided.state;
        return decided.isTold ? [current.phase] : [];
      });
    };
    assert.deepEqual(told("comes"), ["active", "active"]);
    assert.deepEqual(told("goes"), ["normal", "normal"]);
    assert.deepEqual(told("both"), ["active", "normal", "active", "normal"]);
  });

  it("is each new record once, also where one follows before the rule is normal again", () => {
    const setting = rule(conditions.record);
    const hours = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 12 });
    fc.assert(fc.property(hours, fc.nat(40), (fellAfter, delay) => {
      const falls = fellAfter.toSorted((one, other) => one - other).map((hour) => at + hour * 36e5);
      let current = state;
      const told: number[] = [];
      for (let now = at; now < at + 250 * 36e5; now += 36e5 / 4) {
        const fellAt = falls.findLast((fell) => fell + delay * 1_000 <= now);
        const isNew = fellAt !== undefined && now - fellAt < 24 * 36e5;
        const newRecord = isNew ? { users: 12, at: fellAt, fellAt, before: 11 } : null;
        const measure = measureOf(setting.condition, facts({ newRecord }));
        const decided = decide(setting, current, measure, now);
        current = decided.state;
        if (decided.isTold) told.push(fellAt!);
      }
      assert.deepEqual(told, falls);
    }));
  });

  it("is not a record that fell before the rule was made, and the next one is", () => {
    const record = { users: 12, at, fellAt: at, before: 11 };
    const begun = newRuleState(conditions.record, facts({ newRecord: record }));
    const look = (fellAt: number) => {
      const measure = measureOf(conditions.record, facts({ newRecord: { ...record, fellAt } }));
      return decide(rule(conditions.record), begun, measure, fellAt + 60_000).isTold;
    };
    assert.deepEqual([look(at), look(at + 20 * 3_600_000)], [false, true]);
  });

  it("is nothing while the number is not known, or the rule is off", () => {
    const pending = { ...state, pendingSince: at };
    for (const setting of [rule(conditions.threshold, { enabled: false })]) {
      const measure = measureOf(setting.condition, facts());
      assert.deepEqual(decide(setting, pending, measure, at), { state, isTold: false });
    }
    assert.deepEqual(decide(rule(conditions.threshold), pending, null, at), {
      state,
      isTold: false,
    });
  });

  it("holds from now on, where the date was set back", () => {
    const setting = rule(conditions.threshold, { holdSeconds: 60 });
    const ahead = { ...state, pendingSince: at + 3_600_000 };
    const { state: after } = decide(setting, ahead, measureOf(setting.condition, facts()), at);
    assert.equal(after.pendingSince, at);
  });

  it("is not that a person was online already", () => {
    const here = facts({ has: () => true });
    const { phase, told } = newRuleState(conditions.person, here);
    assert.deepEqual([phase, told], ["active", "active"]);
    assert.equal(newRuleState(conditions.threshold, here).phase, "normal");
  });
});

describe("quiet hours", () => {
  const cases: [from: string, to: string, zone: string, time: string, isIn: boolean][] = [
    ["22:00", "07:00", "UTC", "2026-01-15T21:59:59Z", false],
    ["22:00", "07:00", "UTC", "2026-01-15T22:00:00Z", true],
    ["22:00", "07:00", "UTC", "2026-01-16T06:59:59Z", true],
    ["22:00", "07:00", "UTC", "2026-01-16T07:00:00Z", false],
    ["09:00", "17:00", "UTC", "2026-01-16T09:00:00Z", true],
    ["09:00", "17:00", "UTC", "2026-01-16T17:00:00Z", false],
    ["00:00", "06:00", "UTC", "2026-01-16T00:00:00Z", true],
    // Berlin is two hours ahead of UTC in summer, and one in winter.
    ["22:00", "07:00", "Europe/Berlin", "2026-07-15T20:00:00Z", true],
    ["22:00", "07:00", "Europe/Berlin", "2026-01-15T20:00:00Z", false],
    ["22:00", "07:00", "Asia/Kolkata", "2026-01-15T16:30:00Z", true],
  ];
  for (const [from, to, zone, time, isIn] of cases) {
    it(`from ${from} to ${to} in ${zone} ${isIn ? "have" : "don't have"} ${time}`, () => {
      assert.equal(isQuiet({ from, to, zone }, Date.parse(time)), isIn);
    });
  }
});

describe("a rule that is entered", () => {
  it("is read with each condition", () => {
    for (const condition of Object.values(conditions)) {
      assert.deepEqual(readRule(rule(condition)), { ok: true, setting: rule(condition) });
    }
  });

  const quiet = { from: "22:00", to: "07:00", zone: "UTC" };
  const refused: [change: object, field: string][] = [
    [{ name: "" }, "name"],
    [{ holdSeconds: -1 }, "holdSeconds"],
    [{ holdSeconds: 86_401 }, "holdSeconds"],
    [{ condition: conditions.server, holdSeconds: 31 }, "holdSeconds"],
    [{ condition: { ...conditions.fall, percent: 101 } }, "percent"],
    [{ condition: { ...conditions.fall, minutes: 61 } }, "minutes"],
    [{ condition: { ...conditions.threshold, users: NaN } }, "users"],
    [{ condition: { ...conditions.person, userId: " " } }, "userId"],
    [{ condition: { kind: "weather" } }, "kind"],
    [{ quiet: { ...quiet, from: "25:00" } }, "from"],
    [{ quiet: { ...quiet, to: "22:00" } }, "to"],
    [{ quiet: { ...quiet, zone: "Berlin/Europe" } }, "zone"],
    [{ quiet: { ...quiet, zone: "" } }, "zone"],
    [{ quiet: { ...quiet, zone: "EST" } }, "zone"],
  ];
  for (const [change, field] of refused) {
    it(`is refused with ${JSON.stringify(change)}, and the field is named`, () => {
      const read = readRule({ ...rule(conditions.threshold), ...change });
      assert.equal(read.ok ? "" : read.field, field);
    });
  }
});

describe("the words of a rule", () => {
  const known = facts({
    users: 40,
    peak: () => 100,
    usual: 80,
    has: () => true,
    servers: { alive: 2, known: 3 },
  });
  const messageOf = (condition: Condition, phase: AlertPhase, now = known) => {
    const setting = rule(condition);
    const measure = measureOf(condition, now);
    assert.ok(measure);
    return ruleMessage(
      { id: "r", setting },
      { channel: "presence-x" },
      { phase, at },
      now,
      measure,
    );
  };
  const words: [kind: Condition["kind"], active: string, normal: string][] = [
    [
      "threshold",
      "Alert: 40 users online in presence-x (alert: at least 10) (Ours).",
      "Back to normal: 40 users online in presence-x (alert: at least 10) (Ours).",
    ],
    [
      "fall",
      "Alert: 40 users online in presence-x, down from 100 within 5 minutes (Ours).",
      "Back to normal: 40 users online in presence-x (Ours).",
    ],
    [
      "usual",
      "Alert: 40 users online in presence-x, below the usual 80 (Ours).",
      "Back to normal: 40 users online in presence-x, about as usual (Ours).",
    ],
    [
      "empty",
      "Alert: No one is online in presence-x (Ours).",
      "Back to normal: 40 users online in presence-x (Ours).",
    ],
    [
      "person",
      "Online: Ada is online in presence-x (Ours).",
      "Offline: Ada is offline in presence-x (Ours).",
    ],
    [
      "server",
      "Alert: 2 of 3 servers answer (Ours).",
      "Back to normal: 2 of 3 servers answer (Ours).",
    ],
  ];
  it("say a new record as it was, when that is a while ago, and as no alarm", () => {
    const newRecord = { users: 1_204, guests: 4, at, fellAt: at - 60_000, before: 1_180 };
    const message = messageOf(conditions.record, "active", { ...known, newRecord });
    const { title, text, phase } = textOf(message, at + 65_000);
    assert.equal(
      `${title}: ${text}`,
      "New record: 1,204 online (1,200 users, 4 guests) in presence-x, after 1,180 (Ours).",
    );
    assert.equal(phase, "normal");
    assert.match(textOf(message, at + 130_000).text, / That was at 2026-01-15 12:00 UTC\.$/);
    const { events: [event] } = JSON.parse(webhookBody(message));
    assert.deepEqual(event, {
      ...{ name: "users_online_record", channel: "presence-x", before: 1_180, record_ms: at },
      ...{ users: 1_204, guests: 4, rule: { id: "r", name: "Ours" } },
    });
  });

  it("have the number of those who are active where the rule is about these", () => {
    const condition: Condition = { ...conditions.threshold, onlyActive: true } as Condition;
    const busy = facts({ users: 40, guests: 3, active: 12 });
    const measure = measureOf(condition, busy);
    const place = { channel: "presence-x" };
    const told = { phase: "active" as const, at };
    const message = ruleMessage({ id: "r", setting: rule(condition) }, place, told, busy, measure!);
    assert.deepEqual([message.users, message.guests], [12, undefined]);
    assert.match(textOf(message, at).text, /^12 active in presence-x/);
  });

  for (const [kind, active, normal] of words) {
    it(`say it of ${kind}, and so does its event`, () => {
      for (const [phase, expected] of [["active", active], ["normal", normal]] as const) {
        const message = messageOf(conditions[kind], phase);
        const { title, text } = textOf(message, at);
        assert.equal(`${title}: ${text}`, expected);
        const { events: [event] } = JSON.parse(webhookBody(message));
        assert.deepEqual([event.channel, event.rule], ["presence-x", { id: "r", name: "Ours" }]);
        assert.match(event.name, /^[a-z_]+$/);
      }
    });
  }

  const withGuests: [kind: Condition["kind"], text: string][] = [
    ["threshold", "40 online (31 users, 9 guests) in presence-x (alert: at least 10) (Ours)."],
    [
      "fall",
      "40 online (31 users, 9 guests) in presence-x, down from 100 within 5 minutes (Ours).",
    ],
    ["usual", "40 online (31 users, 9 guests) in presence-x, below the usual 80 (Ours)."],
  ];
  for (const [kind, text] of withGuests) {
    it(`tell users and guests apart in those of ${kind}, and in its event`, () => {
      const message = messageOf(conditions[kind], "active", { ...known, guests: 9 });
      assert.equal(textOf(message, at).text, text);
      const { events: [{ users, guests }] } = JSON.parse(webhookBody(message));
      assert.deepEqual([users, guests], [40, 9]);
    });
  }
});
