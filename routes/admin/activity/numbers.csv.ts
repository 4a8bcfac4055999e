import { channelOfQuery } from "@/http/counted_view.ts";
import { define } from "@/http/state.ts";
import { DailyNumbers } from "@/server/history/daily_numbers.ts";
import { numbersCsv } from "@/server/history/numbers_report.ts";

/** Exports the numbers of all days of a counted channel as CSV. */
export const handler = define.handlers({
  async GET(ctx) {
    const { key } = channelOfQuery(ctx.state, ctx.url);
    const days = await new DailyNumbers(ctx.state.database, key).read("", "9999-12-31");
    return new Response(numbersCsv(days), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="days.csv"`,
        "cache-control": "no-store",
      },
    });
  },
});
