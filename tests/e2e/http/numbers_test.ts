import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { recordDays } from "../../fixtures/database_contents.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { dateAfter, dateAt } from "@/server/history/day_summary.ts";

describe("the numbers over time", () => {
  let server: Rollcall;
  let viewer: HttpVisitor;
  const zone = "Europe/Berlin";

  beforeAll(async () => {
    server = await Rollcall.start({
      TIME_ZONE: zone,
      COUNTED_CHANNELS: "presence-desk",
      DRAIN_MS: "0",
    });
    [, viewer] = await moveIn(server, "viewer");
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
    const [, ...rows] = text(html.match(/<table class="numbers-table">[^]*?<\/table>/)![0])
      .split(/(?=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )/);
    assert.match(rows[0], /, \w{3} \d+ 30 15.0 40 50 5:00 1 h 30 18:00 50% $/);
    assert.match(rows[1], /, \w{3} \d+ Nothing recorded $/);
    assert.match(rows[2], /, \w{3} \d+ 12 6.0 40 /);
    assert.equal(rows.length, 3);
    assert.match(text(html), /Only 1 week is recorded/);
    const heat = html.match(/<table class="heat heat-wide">[^]*?<\/table>/)![0];
    assert.equal(heat.match(/<td data-level="5">30<\/td>/g)?.length, 1);
    assert.equal(heat.match(/<td class="soft heat-gap">/g)?.length, 7 * 24 - 2);
    const { text: csv, headers } = await viewer.get("/admin/activity/numbers.csv");
    assert.match(headers.get("content-disposition") ?? "", /days\.csv/);
    const [first, gap] = parse<Record<string, string>>(csv, { columns: true });
    assert.deepEqual([first.peak, first.average, first.people], ["12", "6", "40"]);
    assert.equal(first.day, dateAfter(today, -3));
    assert.deepEqual([gap.peak, gap.peak_at, gap.recorded_seconds], ["", "", "0"]);
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
