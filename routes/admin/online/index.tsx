import { page } from "fresh";
import { define } from "../../../define.ts";
import OnlineChart from "../../../islands/OnlineChart.tsx";
import { liveCount } from "../../../live_count.ts";

/** The live view: how many users are online now. */
export const handler = define.handlers({
  GET(ctx) {
    ctx.state.title = "Current Users Online";
    return page({ viewerId: ctx.state.visitor?.id ?? "", ...liveCount(ctx.state, ctx.url) });
  },
});

export default define.page<typeof handler>(({ data }) => <OnlineChart {...data} />);
