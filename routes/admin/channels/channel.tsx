import { page } from "fresh";
import { ChannelPage } from "@/components/channels/ChannelPage.tsx";
import { answerTestEvent } from "@/http/answer_test_event.tsx";
import { askedChannel, channelView } from "@/http/channel_view.ts";
import Channel from "@/islands/Channel.tsx";
import { define } from "@/http/state.ts";

/** A channel: what passes by, and who is in it; a POST sends a test event. */
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
  <ChannelPage isSent={data.isSent}>
    <Channel csrfToken={state.csrfToken} view={data} />
  </ChannelPage>
));
