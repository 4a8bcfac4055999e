import { HttpError } from "fresh";
import { audit } from "../../../people/audit.ts";
import { define } from "../../../state.ts";
import { activityCsv } from "../../../online/activity/activity_export.ts";
import { activityFilter, readActivityQuery } from "../../../online/activity/activity_query.ts";
import { matchPeople } from "../../../online/activity/person_filter.ts";

/** The attendance log as CSV, filtered as its page is. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, onlineRecorder } = ctx.state;
    const query = readActivityQuery(ctx.url.searchParams);
    if (!query) throw new HttpError(400, "That is not something to filter by.");
    const who = query.who ? matchPeople(query.who, await accounts.list()).filter : {};
    if (!who) throw new HttpError(400, "Too many users match that name.");
    const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    await audit(ctx.state, "attendance_exported", null, Object.fromEntries(asked));
    const entries = onlineRecorder.activity.each({ ...activityFilter(query), ...who });
    const csv = activityCsv(entries, (ids) => accounts.findAll(ids));
    return new Response(ReadableStream.from(csv).pipeThrough(new TextEncoderStream()), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="activity-${today()}.csv"`,
      },
    });
  },
});

function today(): string {
  return new Date().toISOString().slice(0, "2026-01-01".length);
}
