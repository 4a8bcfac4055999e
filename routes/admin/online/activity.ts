import { define } from "@/http/state.ts";
import { channelOfQuery } from "@/http/counted_view.ts";
import { recentActivity } from "@/server/activity/activity.ts";

/** The latest activity in a counted channel, for a page that starts following it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, onlineRecorder } = ctx.state;
    const { key } = channelOfQuery(ctx.state, ctx.url);
    const { activity } = onlineRecorder;
    return Response.json(await recentActivity(activity, key, (ids) => accounts.findAll(ids)));
  },
});
