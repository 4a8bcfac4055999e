import { Notice } from "@/components/page/fields.tsx";
import { page } from "fresh";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { channelList, statsWithin } from "@/server/channels/listed_channels.ts";
import Channels from "@/islands/Channels.tsx";
import { readChannelQuery } from "@/shared/channel_list.ts";
import { sessionOf } from "@/http/request.ts";
import { limitsOf } from "@/shared/permissions.ts";
import { text } from "@/shared/language.ts";
import { define } from "@/http/state.ts";

/** All apps and channels. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Channels`;
    const limits = limitsOf(sessionOf(ctx.state).user);
    const stats = statsWithin(await ctx.state.channelStats.read(), limits);
    return page(channelList(stats, readChannelQuery(ctx.url.searchParams)));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <>
    {usesExternalServer(state.config.pusher) && (
      <Notice tone="warning">
        {text`Your pages connect to an external Pusher server, whose channels aren't listed here.`}
      </Notice>
    )}
    <Channels first={data} />
  </>
));
