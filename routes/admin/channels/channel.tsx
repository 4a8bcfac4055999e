import { page } from "fresh";
import { ChannelPage } from "@/components/channels/ChannelPage.tsx";
import { answerTestEvent } from "@/http/answer_test_event.tsx";
import { askedChannel, channelView } from "@/http/channel_view.ts";
import Channel from "@/islands/Channel.tsx";
import ChannelEvents from "@/islands/ChannelEvents.tsx";
import { define } from "@/http/state.ts";

/** A channel: who is in it, and what passes by; a POST sends a test event. */
export const handler = define.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const asked = askedChannel(ctx.state, {
      app: searchParams.get("app"),
      name: searchParams.get("name"),
    });
    ctx.state.title = asked.channel;
    return page(
      await channelView(ctx.state, ctx.url, asked, {
        isSent: searchParams.get("done") === "sent",
        isRecorded: searchParams.get("record") === "yes",
      }),
    );
  },
  async POST(ctx) {
    const { input } = ctx.state;
    const asked = askedChannel(ctx.state, { app: input.app, name: input.name });
    const answer = await answerTestEvent(ctx, asked);
    if (answer instanceof Response) return answer;
    const { draft, status } = answer;
    ctx.state.title = asked.channel;
    return page(await channelView(ctx.state, ctx.url, asked, { draft }), { status });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ChannelPage
    csrfToken={state.csrfToken}
    view={data}
    status={<Channel first={data.channel} />}
    events={data.inspected && (
      <ChannelEvents
        {...data.inspected}
        channel={data.channel}
        csrfToken={state.csrfToken}
        hasData={data.mayManage}
      />
    )}
  />
));
