import type { OnlineList } from "../../../shared/online.ts";
import { define } from "../../../state.ts";

/** Everyone who is online, and what a page shows beside, for a page that starts following changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const { liveView, thresholdAlert } = ctx.state;
    const snapshot = await liveView.publisher.snapshot();
    const list: OnlineList = {
      ...snapshot,
      alert: thresholdAlert.view,
      health: liveView.health.measure(),
      topPages: liveView.topPages.current(),
    };
    return Response.json(list);
  },
});
