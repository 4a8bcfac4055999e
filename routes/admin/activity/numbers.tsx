import { page } from "fresh";
import { NumbersPage } from "@/components/history/NumbersPage.tsx";
import { channelOfQuery, countedNames } from "@/http/counted_view.ts";
import { define } from "@/http/state.ts";
import { numbersReport } from "@/server/history/numbers_report.ts";
import { may } from "@/shared/permissions.ts";

/** The numbers of each day of a counted channel, and of the hours of a week. */
export const handler = define.handlers({
  async GET(ctx) {
    const { config, database, session } = ctx.state;
    ctx.state.title = "Numbers over time";
    const { key } = channelOfQuery(ctx.state, ctx.url);
    const range = ctx.url.searchParams.get("range") === "year" ? "year" : "month";
    const asked = { range, timeZone: config.timeZone, now: Date.now() } as const;
    return page({
      report: await numbersReport(database, key, asked),
      channel: key,
      channels: countedNames(ctx.state),
      mayManage: may(session?.user.role, "manage"),
    });
  },
});

export default define.page<typeof handler>(({ data }) => <NumbersPage {...data} />);
