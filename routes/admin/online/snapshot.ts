import type { OnlineList } from "../../../shared/online.ts";
import { define } from "../../../state.ts";

/** Everyone who is online, the alert and the health of the server, for a page that starts following changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const { liveView, thresholdAlert } = ctx.state;
    const snapshot = await liveView.publisher.snapshot();
    const health = liveView.health.measure();
    return Response.json({ ...snapshot, alert: thresholdAlert.view, health } satisfies OnlineList);
  },
});
