import { channelList } from "@/server/channels/listed_channels.ts";
import { type ChannelList, readChannelQuery } from "@/shared/channel_list.ts";
import { define } from "@/http/state.ts";

/** A page of the channels, for a page that follows them. */
export const handler = define.handlers({
  async GET(ctx) {
    const query = readChannelQuery(ctx.url.searchParams);
    return Response.json(
      channelList(await ctx.state.channelStats.read(), query) satisfies ChannelList,
    );
  },
});
