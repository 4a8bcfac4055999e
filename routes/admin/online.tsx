import { page } from "fresh";
import { clientSettings } from "../../client_settings.ts";
import { define } from "../../define.ts";
import OnlineChart from "../../islands/OnlineChart.tsx";
import { onlineCount } from "../../online_count.ts";
import { servesHttps } from "../../services.ts";

/** The live view: how many users are online now. */
export const handler = define.handlers({
  GET(ctx) {
    const { config, pusherApp, visitor } = ctx.state;
    ctx.state.title = "Current Users Online";
    return page({
      settings: clientSettings(config.pusher, pusherApp.key, ctx.url, servesHttps(config)),
      viewerId: visitor?.id ?? "",
      ...onlineCount(ctx.state, visitor),
    });
  },
});

export default define.page<typeof handler>(({ data }) => <OnlineChart {...data} />);
