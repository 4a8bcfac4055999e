import { define } from "../../../state.ts";
import { recentActivity } from "../../../online/activity/activity.ts";

/** Who came and went last, for a page that begins to follow them. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, onlineRecorder } = ctx.state;
    const activity = await recentActivity(onlineRecorder.activity, (ids) => accounts.findAll(ids));
    return Response.json(activity, { headers: { "cache-control": "no-store" } });
  },
});
