import { define } from "../../../state.ts";
import { historyReport, readHistoryQuery } from "../../../online/history/history_report.ts";
import { refuse } from "../../../http/refusal.ts";

/** The history, for a page that follows it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { onlineRecorder } = ctx.state;
    const now = Date.now();
    const query = readHistoryQuery(ctx.url.searchParams, now);
    if (!query) return refuse(400, "invalid", "range and midnight are required.");
    const recorded = { history: onlineRecorder.history, unsaved: onlineRecorder.unsaved() };
    const report = await historyReport(recorded, query, now);
    return Response.json(report, { headers: { "cache-control": "no-store" } });
  },
});
