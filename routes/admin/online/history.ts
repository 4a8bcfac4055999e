import { define } from "@/http/state.ts";
import { historyReport, readHistoryQuery } from "@/server/history/history_report.ts";
import { channelOfQuery } from "@/http/counted_view.ts";
import { refuse } from "@/http/rejection.ts";

/** How many users a counted channel had, for a page that updates its chart. */
export const handler = define.handlers({
  async GET(ctx) {
    const { key } = channelOfQuery(ctx.state, ctx.url);
    const now = Date.now();
    const query = readHistoryQuery(ctx.url.searchParams, now);
    if (!query) return refuse(400, "invalid", "range and midnight are required.");
    const recorded = ctx.state.onlineRecorder.historyOf(key);
    return Response.json(await historyReport(recorded, query, now));
  },
});
