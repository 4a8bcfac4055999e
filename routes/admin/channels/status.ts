import { askedChannel, statusOf } from "@/http/channel_view.ts";
import { define } from "@/http/state.ts";

/** A channel as it is now, for a page that follows it. */
export const handler = define.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const asked = askedChannel(ctx.state, {
      app: searchParams.get("app"),
      name: searchParams.get("name"),
    });
    return Response.json(await statusOf(ctx.state, asked, searchParams));
  },
});
