import { define } from "../../../state.ts";
import { newestActivity } from "../../../online/activity/activity.ts";

/** The recent activity, for a page that starts to follow it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, onlineRecorder } = ctx.state;
    const activity = await newestActivity(
      onlineRecorder.attendance,
      (ids) => accounts.findAll(ids),
    );
    return Response.json(activity, { headers: { "cache-control": "no-store" } });
  },
});
