import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import {
  type Change,
  dateAfter,
  dateAt,
  type Day,
  dayOf,
  summarizeIntervals,
  VisitDays,
} from "@/server/history/day_summary.ts";
import { DailyNumbers, DailyRollUp, rollUp } from "@/server/history/daily_numbers.ts";
import { addMark, gapsIn, listMarks, removeMark } from "@/server/history/marks.ts";
import type { Sight } from "@/shared/permissions.ts";
import { heatMap } from "@/server/history/numbers_report.ts";
import { ActivityLog } from "@/server/activity/activity_log.ts";
import { History } from "@/server/history/stored_history.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { until } from "../../fixtures/eventually.ts";

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];

describe("days of a time zone", () => {
  const skipped = ["Pacific/Kiritimati", "1994-12-31"];

  it("have 23 and 25 hours where clocks change, and begin where the one before ends", () => {
    const hours = ({ startsAt, endsAt }: Day) => (endsAt - startsAt) / hour;
    assert.equal(hours(dayOf("2026-03-29", "Europe/Berlin")), 23);
    assert.equal(hours(dayOf("2026-10-25", "Europe/Berlin")), 25);
    assert.equal(hours(dayOf("2026-10-04", "Australia/Lord_Howe")), 23.5);
    const zones = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Kiritimati", "Etc/GMT+12"];
    fc.assert(fc.property(fc.constantFrom(...zones), fc.nat(20_000), (zone, number) => {
      const { date, startsAt, endsAt } = dayOf(dateAfter("1990-01-01", number), zone);
      if (`${zone} ${date}` === skipped.join(" ")) return;
      assert.equal(dateAt(startsAt, zone), date);
      assert.equal(dateAt(endsAt - 1, zone), date);
      assert.notEqual(dateAt(startsAt - 1, zone), date);
      assert.equal(dayOf(dateAfter(date), zone).startsAt, endsAt);
    }));
  });

  it("are empty where a zone moved across the date line, and never had them", () => {
    const [zone, date] = skipped;
    const { startsAt, endsAt } = dayOf(date, zone);
    assert.equal(endsAt, startsAt);
    assert.equal(dayOf(dateAfter(date, -1), zone).endsAt, startsAt);
    assert.equal(dayOf(dateAfter(date), zone).startsAt, endsAt);
  });

  it("begin with the first hour where clocks are put forward at midnight", () => {
    const { startsAt } = dayOf("2018-11-04", "America/Sao_Paulo");
    assert.equal(new Date(startsAt).toISOString(), "2018-11-04T03:00:00.000Z");
  });
});

/** Visits of a few people to three days of ten seconds, each person's one after another, some before and after them. */
const people = fc.array(
  fc.array(fc.oneof(fc.nat(3_000), fc.nat(25_000)), { maxLength: 8 })
    .map((gaps) =>
      gaps.reduce((times, gap) => [...times, (times.at(-1) ?? -5_000) + gap], [0].slice(1))
    ),
  { maxLength: 6 },
);

const days: Day[] = [0, 1, 2].map((number) => (
  { date: `${number}`, startsAt: number * 10_000, endsAt: (number + 1) * 10_000 }
));

describe("visits of days", () => {
  it("are summed up as by looking at each day and person", () => {
    fc.assert(
      fc.property(people, (people) => {
        const visits = people.flatMap((times, person) =>
          times.flatMap((at, index) =>
            index % 2 === 0
              ? [{ userId: `${person}`, joined: at, left: times.at(index + 1) ?? Infinity }]
              : []
          )
        );
        const changes: (Change & { order: number })[] = people.flatMap((times, person) =>
          times.map((at, index) => (
            {
              userId: `${person}`,
              at,
              change: index % 2 ? "left" : "joined",
              order: index,
            } as const
          ))
        ).sort((one, other) => one.at - other.at || one.order - other.order);
        const summary = new VisitDays(days);
        for (const change of changes) if (change.at >= 0) summary.take(change);
        const joins = new Map(summary.joinedBefore.map((userId) => [
          userId,
          visits.findLast((visit) => visit.userId === userId && visit.joined < 0)!.joined,
        ]));
        const online = new Map(
          visits.filter(({ left }) => left === Infinity).map((
            visit,
          ) => [visit.userId, visit.joined]),
        );
        assert.deepEqual(
          summary.finish(joins, online),
          days.map((day) => plainSummary(visits, day)),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

/** What is expected, by the definition of each number. */
function plainSummary(
  visits: { userId: string; joined: number; left: number }[],
  { startsAt, endsAt }: Day,
) {
  const there = visits.filter(({ joined, left }) => joined < endsAt && left >= startsAt);
  const lengths = visits.filter(({ left }) => left >= startsAt && left < endsAt)
    .map(({ joined, left }) => Math.round((left - joined) / 1_000)).sort((a, b) => a - b);
  const atShare = (share: number) => lengths.at(Math.ceil(share * lengths.length) - 1) ?? null;
  return {
    people: new Set(there.map(({ userId }) => userId)).size,
    visits: lengths.length,
    medianSeconds: lengths.length > 0 ? atShare(0.5) : null,
    p90Seconds: lengths.length > 0 ? atShare(0.9) : null,
  };
}

it("an average is weighted by the time that was measured", () => {
  const interval = (users: number, measuredMs: number) => ({
    ...{ startsAt: 0, mostUsers: users, mostUsersAt: users, fewestUsers: users, lastUsers: users },
    ...{ lastAt: 0, mostConnections: 0, measuredMs },
  });
  assert.deepEqual(
    summarizeIntervals([interval(10, minute), interval(40, 2 * minute), interval(40, 0)]),
    { peak: { users: 40, at: 40 }, average: 30, recordedMs: 3 * minute },
  );
  assert.deepEqual(summarizeIntervals([]), { peak: null, average: null, recordedMs: 0 });
});

it("a week by hours averages the hours of the zone, also where one is twice, and leaves gaps", () => {
  const clocks = dayOf("2026-10-25", "Europe/Berlin");
  const at = (startsAt: number, users: number, measuredMs = 15 * minute) => ({
    ...{
      startsAt,
      mostUsers: users + 1,
      mostUsersAt: startsAt,
      fewestUsers: users - 1,
      measuredMs,
    },
    ...{ lastUsers: users, lastAt: startsAt, mostConnections: users },
  });
  const { weekdays, weeks } = heatMap([
    // Both are from two to three on a Sunday, as are those of the week before.
    ...[at(clocks.startsAt + 2 * hour, 10), at(clocks.startsAt + 3 * hour, 20)],
    at(clocks.startsAt - 7 * day + 2 * hour, 60, 30 * minute),
    at(clocks.startsAt - 1, 7),
    at(clocks.startsAt, 7, 0),
  ], "Europe/Berlin");
  assert.equal(weeks, 2);
  assert.equal(weekdays.map(({ name }) => name).join(), "Mon,Tue,Wed,Thu,Fri,Sat,Sun");
  assert.deepEqual(weekdays[6].hours[2], { average: 37.5, days: 2 });
  assert.deepEqual(weekdays[5].hours[23], { average: 7, days: 1 });
  assert.deepEqual(weekdays[6].hours[0], { average: null, days: 0 });
});

it("a gap begins where recording ended, is as long as what is missing, and none before the beginning", () => {
  const quarter = (number: number, measuredMs: number) => ({
    ...{ mostUsers: 1, mostUsersAt: 0, fewestUsers: 1, lastUsers: 1, mostConnections: 1 },
    ...{ startsAt: number * 15 * minute, measuredMs, lastAt: number * 15 * minute + measuredMs },
  });
  const gaps = gapsIn([
    ...[quarter(0, minute), quarter(1, 10 * minute), quarter(3, 14 * minute)],
    ...[quarter(4, 15 * minute - 1_000), quarter(6, 0)],
  ]);
  assert.deepEqual(gaps, [
    { kind: "gap", at: 25 * minute, missingMs: 21 * minute },
    { kind: "gap", at: 75 * minute, missingMs: 15 * minute },
  ]);
});

describeOnDatabase("the marks of the history", (database) => {
  const mark = (id: string, at: number) => ({
    ...{ id, at, text: `Mark ${id}`, createdBy: "Deploys", app: null, channel: null },
  });
  const chart = { appId: "1", channel: "presence-chart" };

  it("are of what the token was limited to, newest first, and can be removed", async () => {
    const open = await database.open();
    await addMark(open, mark("a", 10), 1);
    await addMark(open, { ...mark("b", 20), app: "1" }, 2);
    await addMark(open, { ...mark("c", 30), channel: "presence-desk" }, 3);
    const ids = async (sight: Sight, since = 0) =>
      (await listMarks(open, sight, since)).map(({ id }) => id);
    assert.deepEqual(await ids(chart), ["b", "a"]);
    assert.deepEqual(await ids(chart, 11), ["b"]);
    assert.deepEqual(await ids({ appId: "2", channel: "presence-desk" }), ["c", "a"]);
    const removed: unknown[] = [];
    const record = (_: unknown, target: unknown) => Promise.resolve(void removed.push(target));
    assert.equal((await removeMark(open, "b", record))?.text, "Mark b");
    assert.equal(await removeMark(open, "b", record), null);
    assert.deepEqual([removed, await ids(chart)], [[{ id: "b", name: "Mark b" }], ["a"]]);
  });

  it("are the newest 1,000 that were added, whatever their times are", async () => {
    const open = await database.open();
    const rows = Array.from({ length: 1_000 }, (_, index) => (
      { ...mark(`${index}`, 5_000 - index), createdAt: index }
    ));
    for (let start = 0; start < rows.length; start += 100) {
      await open.queries.insertInto("mark").values(rows.slice(start, start + 100)).execute();
    }
    await addMark(open, mark("new", 1), 2_000);
    const kept = (await listMarks(open, chart, 0)).map(({ id }) => id);
    assert.equal(kept.length, 1_000);
    assert.deepEqual([kept.includes("0"), kept.includes("1"), kept.at(-1)], [false, true, "new"]);
  });
});

describeOnDatabase("the numbers of days", (database) => {
  /** The start of March 28 in Berlin, a day before the day of 23 hours. */
  const { startsAt: start } = dayOf("2026-03-28", "Europe/Berlin");
  const channel = "presence-chart";

  async function opened() {
    const open = await database.open();
    const history = new History(open, channel);
    return {
      history,
      database: open,
      numbers: new DailyNumbers(open, channel),
      source: { database: open, channel, history, timeZone: "Europe/Berlin", activityDays: 30 },
      async measure(at: number, users: number) {
        const number = { mostUsers: users, fewestUsers: users, lastUsers: users };
        const rest = { mostConnections: users, measuredMs: minute };
        await history.record({
          ...number,
          ...rest,
          startsAt: at,
          mostUsersAt: at,
          lastAt: at + minute,
        });
      },
      async log(...entries: [userId: string, joinedAt: number, leftAt: number | null][]) {
        const changes = entries.flatMap(([userId, joinedAt, leftAt]) => {
          const entry = { channel, userId, kind: "user", name: null } as const;
          const joined = { ...entry, change: "joined", at: joinedAt } as const;
          const left = { ...entry, change: "left", at: leftAt!, reason: "left" } as const;
          return leftAt === null ? [joined] : [joined, left];
        });
        const sorted = changes.toSorted((one, other) => one.at - other.at);
        await new ActivityLog(open).write(sorted as Parameters<ActivityLog["write"]>[0]);
      },
    };
  }

  it("are stored once when a day has ended, with the hours of the zone, and say what was not recorded", async () => {
    const { history, log, measure, numbers, source } = await opened();
    await measure(start, 2);
    await measure(start + 12 * hour, 8);
    await log(
      ["overnight", start - hour, start + hour],
      ["twice", start + hour, start + 2 * hour],
      ["stays", start + 3 * hour, null],
    );
    const next = start + day;
    await measure(next + 22 * hour, 1);
    await rollUp(source, next + 4 * minute, () => Promise.resolve(true));
    assert.deepEqual(await numbers.read("", "9"), []);
    const later = next + 23 * hour + 5 * minute;
    for (let time = 0; time < 2; time++) {
      await rollUp(source, later, () => Promise.resolve(true));
    }
    assert.deepEqual(await numbers.read("2026-03-28", "2026-03-29"), [
      {
        day: "2026-03-28",
        startsAt: start,
        endsAt: next,
        mostUsers: 8,
        mostUsersAt: start + 12 * hour,
        averageHundredths: 500,
        people: 3,
        visits: 2,
        medianSeconds: 3_600,
        p90Seconds: 7_200,
        recordedSeconds: 120,
      },
      {
        day: "2026-03-29",
        startsAt: next,
        endsAt: next + 23 * hour,
        mostUsers: 1,
        mostUsersAt: next + 22 * hour,
        averageHundredths: 100,
        people: 1,
        visits: 0,
        medianSeconds: null,
        p90Seconds: null,
        recordedSeconds: 60,
      },
    ]);
    assert.equal((await history.read("hour", later)).points.length, 60);
  });

  it("follow after a downtime, with gaps as gaps, and without people where the activity is gone", async () => {
    const { log, measure, numbers, source } = await opened();
    await measure(start + hour, 3);
    await log(["early", start + hour, start + 2 * hour], ["late", start + 4 * day, null]);
    await measure(start + 4 * day, 1);
    const now = start + 5 * day + hour;
    await rollUp({ ...source, activityDays: 2 }, now, () => Promise.resolve(true));
    const days = await numbers.read("", "9");
    assert.deepEqual(days.map(({ day, mostUsers, people }) => [day, mostUsers, people]), [
      ["2026-03-28", 3, null],
      ["2026-03-29", null, null],
      ["2026-03-30", null, null],
      ["2026-03-31", null, null],
      ["2026-04-01", 1, 1],
    ]);
    assert.equal(days[1].recordedSeconds, 0);
  });

  it("are the leader's to store, and read more entries than fit one piece of work", async () => {
    const { database, log, measure, numbers, source } = await opened();
    await measure(start, 1);
    await log(
      ...Array.from(
        { length: 600 },
        (
          _,
          index,
        ): [string, number, number | null] => [
          `person ${index}`,
          start - 2 * hour + index,
          start + index,
        ],
      ),
    );
    const [past, leader] = [new LeaderTerm(database), new LeaderTerm(database)];
    for (const term of [past, leader]) await term.begin(() => true);
    const run = (term: LeaderTerm) =>
      rollUp({ ...source, term }, start + day + hour, () => Promise.resolve(true));
    await run(past);
    assert.deepEqual(await numbers.read("", "9"), []);
    await rollUp({ ...source, term: leader }, start + day + hour, () => Promise.resolve(false));
    assert.deepEqual(await numbers.read("", "9"), []);
    await run(leader);
    const [{ people, visits, medianSeconds }] = await numbers.read("", "9");
    assert.deepEqual({ people, visits, medianSeconds }, {
      people: 600,
      visits: 600,
      medianSeconds: 7_200,
    });
  });

  it("are stored by a server that runs over midnight, and nothing is begun after its stop", async () => {
    const { measure, numbers, source } = await opened();
    await measure(start, 4);
    const clock = new ManualClock();
    clock.advance(start + day - minute);
    const failures: unknown[] = [];
    const rolling = new DailyRollUp([source], (error) => failures.push(error), clock);
    clock.advance(minute);
    await until(() => clock.timers === 1);
    clock.advance(10 * minute);
    await until(async () => (await numbers.read("", "9")).length === 1);
    await rolling.stop();
    assert.equal(clock.timers, 0);
    assert.deepEqual(failures, []);
  });
});
