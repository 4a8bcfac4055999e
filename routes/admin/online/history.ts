import { define } from "../../../state.ts";
import { historyReport, readHistoryQuery } from "../../../online/history/history_report.ts";
import { refuse } from "../../../http/refusal.ts";

/** How many users were online, for a page that updates its chart. */
export const handler = define.handlers({
  async GET(ctx) {
    const { onlineRecorder } = ctx.state;
    const now = Date.now();
    const query = readHistoryQuery(ctx.url.searchParams, now);
    if (!query) return refuse(400, "invalid", "range and midnight are required.");
    return Response.json(await historyReport(onlineRecorder, query, now));
  },
});
