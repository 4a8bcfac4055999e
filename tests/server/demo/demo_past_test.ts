import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { expectedOnline, pastDays, recordPast } from "@/server/demo/demo_past.ts";
import { ActivityLog } from "@/server/activity/activity_log.ts";
import { numbersReport } from "@/server/history/numbers_report.ts";
import { History } from "@/server/history/stored_history.ts";
import { onlineKey } from "@/shared/counted.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describeOnDatabase("the past of a demo", (database) => {
  it("has all that a live view and the numbers over time compare with, up to now", async () => {
    const opened = await database.open();
    const now = Date.UTC(2026, 2, 4, 15, 20);
    await recordPast(opened, { timeZone: "UTC", now });

    const history = new History(opened);
    const { usual, record, before } = await history.context(now);
    const expected = expectedOnline(now, now);
    assert.ok(usual !== null && Math.abs(usual - expected) < expected / 2, `${usual}, ${expected}`);
    assert.ok(before !== null && Math.abs(before - expected) < expected / 2, `${before}`);
    assert.ok(record!.users > 1.2 * expected && record!.at < now - 10 * day, "many came once");

    const sight = { key: onlineKey, appId: "shop", channel: onlineKey };
    const options = { range: "month", timeZone: "UTC", now, alerts: [] } as const;
    const report = await numbersReport(opened, sight, options);
    for (const { date, numbers } of report.days) {
      assert.ok(numbers && numbers.mostUsers! > 15 && numbers.people! > 50, date);
      assert.ok(numbers.medianSeconds! > 60, date);
    }
    const hours = report.heat.weekdays.flatMap(({ hours }) => hours);
    assert.ok(hours.every(({ average }) => average! > 0));
    const kinds = Object.groupBy(report.events, ({ kind }) => kind);
    assert.deepEqual([kinds.mark!.length, kinds.gap!.length], [6, 1]);

    const activity = new ActivityLog(opened);
    assert.deepEqual(await activity.open(onlineKey), [], "no one is left who has to leave");
    const { entries } = await activity.read({ limit: 200 });
    assert.ok(entries[0].at > now - 5 * minute && entries.every(({ at }) => at <= now));
    assert.ok(entries.some(({ name }) => name !== null));
    const first = await activity.read({ until: now - (pastDays - 1) * day, limit: 5 });
    assert.equal(first.entries.length, 5);
  });
});
