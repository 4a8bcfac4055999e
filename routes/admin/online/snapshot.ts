import type { OnlineList } from "../../../shared/online.ts";
import { define } from "../../../state.ts";

/** Everyone who is online, the alert and the top pages, for a page that starts following changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const { liveView, thresholdAlert } = ctx.state;
    const snapshot = await liveView.publisher.snapshot();
    const topPages = liveView.topPages.current();
    return Response.json(
      { ...snapshot, alert: thresholdAlert.view, topPages } satisfies OnlineList,
    );
  },
});
