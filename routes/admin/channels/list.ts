import { channelList, statsWithin } from "@/server/channels/listed_channels.ts";
import { type ChannelList, readChannelQuery } from "@/shared/channel_list.ts";
import { sessionOf } from "@/http/request.ts";
import { limitsOf } from "@/shared/permissions.ts";
import { define } from "@/http/state.ts";

/** A page of the channels, for a page that follows them. */
export const handler = define.handlers({
  async GET(ctx) {
    const query = readChannelQuery(ctx.url.searchParams);
    const limits = limitsOf(sessionOf(ctx.state).user);
    const stats = statsWithin(await ctx.state.channelStats.read(), limits);
    return Response.json(channelList(stats, query) satisfies ChannelList);
  },
});
