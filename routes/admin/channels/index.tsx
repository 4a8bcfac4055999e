import { page } from "fresh";
import { channelList } from "../../../inspector/channel_list.ts";
import Channels from "../../../islands/Channels.tsx";
import { readChannelQuery } from "../../../shared/channel_list.ts";
import { define } from "../../../state.ts";

/** All apps and channels. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Channels";
    return page(channelList(await ctx.state.census.read(), readChannelQuery(ctx.url.searchParams)));
  },
});

export default define.page<typeof handler>(({ data }) => <Channels first={data} />);
