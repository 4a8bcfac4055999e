import { page } from "fresh";
import { NumbersPage } from "@/components/history/NumbersPage.tsx";
import { channelOfQuery, countedNames } from "@/http/counted_view.ts";
import { define } from "@/http/state.ts";
import { readAlert } from "@/server/alert/stored_alert.ts";
import { numbersReport } from "@/server/history/numbers_report.ts";
import { text } from "@/shared/language.ts";
import { may } from "@/shared/permissions.ts";

/** The numbers of each day of a counted channel, and of the hours of a week. */
export const handler = define.handlers({
  async GET(ctx) {
    const { config, database, session } = ctx.state;
    ctx.state.title = text`Numbers over time`;
    const { appId, channel, key } = channelOfQuery(ctx.state, ctx.url);
    const range = ctx.url.searchParams.get("range") === "year" ? "year" : "month";
    const { crossings: alerts = [] } = await readAlert(database, key) ?? {};
    const asked = { range, timeZone: config.timeZone, now: Date.now(), alerts } as const;
    return page({
      report: await numbersReport(database, { appId, channel, key }, asked),
      channel: key,
      channels: countedNames(ctx.state),
      csrfToken: ctx.state.csrfToken,
      done: ctx.url.searchParams.get("done") === "removed" ? text`Mark removed.` : "",
      mayManage: may(session?.user.role, "manage"),
    });
  },
});

export default define.page<typeof handler>(({ data }) => <NumbersPage {...data} />);
