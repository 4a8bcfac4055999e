import { channelOfQuery } from "../../../http/counted_channel.ts";
import type { OnlineList } from "../../../shared/online.ts";
import { define } from "../../../state.ts";

/** Everyone in a counted channel, and what a page shows beside, for a page that starts following changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const { liveView } = ctx.state;
    const { key, alert, recovery } = channelOfQuery(ctx.state, ctx.url);
    const snapshot = await liveView.publisherOf(key).snapshot();
    const list: OnlineList = {
      ...snapshot,
      alert: alert.view,
      health: await liveView.health.measure(),
      topPages: await liveView.topPages.current(),
      recovery: recovery.shown,
      counted: liveView.totals(),
    };
    return Response.json(list);
  },
});
