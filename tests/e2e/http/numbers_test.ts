import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { recordDays } from "../../fixtures/database_contents.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { makeToken } from "../../fixtures/admin_forms.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { dateAfter, dateAt, dayOf } from "@/server/history/day_summary.ts";

describe("the numbers over time", () => {
  let server: Rollcall;
  let admin: HttpVisitor;
  let viewer: HttpVisitor;
  const zone = "Europe/Berlin";

  beforeAll(async () => {
    server = await Rollcall.start({
      TIME_ZONE: zone,
      COUNTED_CHANNELS: "presence-desk",
      DRAIN_MS: "0",
    });
    [admin, viewer] = await moveIn(server, "viewer");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const text = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

  it("say that there are none yet", async () => {
    const { status, text: html } = await viewer.get("/admin/activity/numbers");
    assert.equal(status, 200);
    assert.match(text(html), /The first day appears here after it has ended/);
    assert.equal(html.includes("Download CSV"), false);
  });

  it("are a row for each day, with gaps as gaps, a week by hours, and a CSV of all days", async () => {
    const today = dateAt(Date.now(), zone);
    await recordDays(server, zone, { [dateAfter(today, -3)]: 12, [dateAfter(today, -2)]: null });
    await recordDays(server, zone, { [dateAfter(today, -1)]: 30 });
    const { text: html } = await viewer.get("/admin/activity/numbers");
    const [, ...rows] = text(html.match(/<table class="table numbers-table">[^]*?<\/table>/)![0])
      .split(/(?=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )/);
    assert.match(rows[0], /, \w{3} \d+ 30 15.0 40 50 5:00 1 h 30 18:00 50% $/);
    assert.match(rows[1], /, \w{3} \d+ Nothing recorded $/);
    assert.match(rows[2], /, \w{3} \d+ 12 6.0 40 /);
    assert.equal(rows.length, 3);
    assert.match(text(html), /Only 1 week is recorded/);
    const heat = html.match(/<table class="heat heat-wide">[^]*?<\/table>/)![0];
    assert.equal(heat.match(/<td data-level="4">30<\/td>/g)?.length, 1);
    assert.equal(heat.match(/<td class="soft">/g)?.length, 7 * 24 - 2);
    assert.match(html, /href="\/admin\/activity\/numbers\.csv"/);
    const { text: csv, headers } = await viewer.get("/admin/activity/numbers.csv");
    assert.match(headers.get("content-disposition") ?? "", /days\.csv/);
    const [first, gap] = parse<Record<string, string>>(csv, { columns: true });
    assert.deepEqual([first.peak, first.average, first.people], ["12", "6", "40"]);
    assert.equal(first.day, dateAfter(today, -3));
    assert.deepEqual([gap.peak, gap.peak_at, gap.recorded_seconds], ["", "", "0"]);
  });

  it("are given to programs day by day, with null for what is not known", async () => {
    const { token } = await makeToken(admin, { name: "Numbers", scope: "count" });
    const call = async (query: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const program = new HttpVisitor(server.origin);
      const { status, text } = await program.send(
        "GET",
        `/api/v1/days?${query}`,
        undefined,
        headers,
      );
      return { status, json: JSON.parse(text) };
    };
    const today = dateAt(Date.now(), zone);
    const from = dateAfter(today, -4);
    const { json } = await call(`from=${from}&until=${dateAfter(today)}`);
    assert.deepEqual([json.time_zone, json.record.users, json.state], [zone, 30, "live"]);
    const { startsAt } = dayOf(dateAfter(today, -3), zone);
    const days: Record<string, unknown>[] = json.days;
    assert.deepEqual(
      days.map(({ day, peak, recorded_seconds: seconds }) => [day, peak, Number(seconds) > 0]),
      [
        [from, null, false],
        [dateAfter(today, -3), 12, true],
        [dateAfter(today, -2), null, false],
        [dateAfter(today, -1), 30, true],
      ],
    );
    assert.deepEqual(days.map((day) => day.recorded_seconds).filter((one) => !one), [null, 0]);
    assert.partialDeepStrictEqual(days[1], {
      ...{ starts_at: new Date(startsAt).toISOString(), average: 6, people: 40, visits: 50 },
      ...{ median_visit_seconds: 300, p90_visit_seconds: 5_400 },
    });
    assert.equal((await call("")).json.days.length, 30);
    const other = await call("channel=presence-desk&from=2025-01-01&until=2026-01-02");
    assert.deepEqual([other.json.record, other.json.days.length], [null, 366]);
    assert.deepEqual(
      (await call(`from=${dateAfter(today, 2)}&until=${dateAfter(today, 3)}`)).json.days,
      [],
    );
    for (
      const query of [
        ...["from=2025-01-01&until=2026-01-03", "from=2025-01-02&until=2025-01-01", "from=noon"],
        ...["from=0001-01-01&until=0001-02-01", "until=2025-02-30", `from=${dateAfter(today)}`],
      ]
    ) {
      const { status, json } = await call(query);
      assert.deepEqual([status, json.error.code], [400, "invalid_request"], query);
    }
  });

  it("are of the channel that is chosen, and not for who may not see it", async () => {
    const { text: html } = await viewer.get(
      "/admin/activity/numbers?range=year&channel=presence-desk",
    );
    assert.match(html, /aria-current="true"[^>]*>\s*<span dir="ltr">presence-desk/);
    assert.match(text(html), /The first day appears here/);
    assert.equal((await viewer.get("/admin/activity/numbers?channel=presence-x")).status, 404);
  });
});
