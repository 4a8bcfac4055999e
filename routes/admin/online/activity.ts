import { define } from "../../../state.ts";
import { recentActivity } from "../../../online/activity/activity.ts";

/** The latest activity, for a page that starts following it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, onlineRecorder } = ctx.state;
    const activity = await recentActivity(onlineRecorder.activity, (ids) => accounts.findAll(ids));
    return Response.json(activity);
  },
});
