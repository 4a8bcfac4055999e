import { define } from "@/http/state.ts";
import { historyWithEvents, readHistoryQuery } from "@/server/history/history_report.ts";
import { shownHistory } from "@/components/history/EventsCard.tsx";
import { channelOfQuery } from "@/http/counted_view.ts";
import { refuse } from "@/http/rejection.ts";

/** How many users a counted channel had, for a page that updates its chart. */
export const handler = define.handlers({
  async GET(ctx) {
    const channel = channelOfQuery(ctx.state, ctx.url);
    const now = Date.now();
    const query = readHistoryQuery(ctx.url.searchParams, now);
    if (!query) return refuse(400, "invalid", "range and midnight are required.");
    return Response.json(shownHistory(await historyWithEvents(ctx.state, channel, query, now)));
  },
});
