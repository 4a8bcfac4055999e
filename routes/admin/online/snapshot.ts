import type { OnlineList } from "../../../shared/online.ts";
import { define } from "../../../state.ts";

/** Everyone who is online, and the alert, for a page that starts following changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const { liveView, thresholdAlert } = ctx.state;
    const snapshot = await liveView.publisher.snapshot();
    return Response.json({ ...snapshot, alert: thresholdAlert.view } satisfies OnlineList);
  },
});
