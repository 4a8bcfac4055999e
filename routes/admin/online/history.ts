import { define } from "../../../state.ts";
import { historyReport, readHistoryQuery } from "../../../online/history/history_report.ts";
import { refuse } from "../../../http/refusal.ts";

/** How many were online, for a page that goes on drawing the line. */
export const handler = define.handlers({
  async GET(ctx) {
    const { onlineRecorder } = ctx.state;
    const now = Date.now();
    const query = readHistoryQuery(ctx.url.searchParams, now);
    if (!query) return refuse(400, "invalid", "A range and the start of a day are needed.");
    const recorded = { history: onlineRecorder.history, unsaved: onlineRecorder.unsaved() };
    const report = await historyReport(recorded, query, now);
    return Response.json(report, { headers: { "cache-control": "no-store" } });
  },
});
