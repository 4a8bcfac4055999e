import { define } from "../../../state.ts";
import { newestActivity } from "../../../online/activity/activity.ts";

/** Who came and went last, for a page that begins to follow them. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, onlineRecorder } = ctx.state;
    const comings = await newestActivity(onlineRecorder.attendance, (ids) => accounts.findAll(ids));
    return Response.json(comings, { headers: { "cache-control": "no-store" } });
  },
});
