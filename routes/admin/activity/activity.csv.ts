import { HttpError } from "fresh";
import { audit } from "@/server/audit/audit.ts";
import { mayComeFromOwnPage } from "@/http/request.ts";
import { hasOtherApps } from "@/http/counted_view.ts";
import { define, type State } from "@/http/state.ts";
import { activityCsv } from "@/server/activity/activity_csv.ts";
import {
  activityFilter,
  matchPeople,
  readActivityQuery,
} from "@/server/activity/activity_query.ts";
import { text } from "@/shared/language.ts";

/** Exports the activity log as CSV, with the filter of its page. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, config, counted, onlineRecorder } = ctx.state;
    // A link elsewhere must not make an admin export it unawares, nor fill the admin log.
    if (!mayComeFromOwnPage(ctx.req.headers, ctx.url, config.appUrl)) {
      throw new HttpError(403, text`Export the activity log from its page.`);
    }
    const query = readActivityQuery(ctx.url.searchParams);
    if (!query) throw new HttpError(400, text`Invalid filter.`);
    const { activity } = onlineRecorder;
    const who = query.who ? await peopleNamed(ctx.state, query.who) : {};
    if (!who) throw new HttpError(400, text`Too many matches. Enter a longer name.`);
    const filter = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    await audit(ctx.state, "attendance_exported", null, Object.fromEntries(filter));
    const entries = activity.each({ ...activityFilter(query), ...who });
    const csv = activityCsv(entries, (ids) => accounts.findAll(ids), counted.length > 1);
    return new Response(ReadableStream.from(csv).pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="activity-${today()}.csv"`,
      },
    });
  },
});

/** Selects the entries of the people whom a text means; null for too many. */
async function peopleNamed(state: State, who: string) {
  const { accounts, onlineRecorder: { activity } } = state;
  const all = await accounts.list();
  return (await matchPeople(who, all, activity.idsNamed, hasOtherApps(state))).filter;
}

function today(): string {
  return new Date().toISOString().slice(0, "2026-01-01".length);
}
