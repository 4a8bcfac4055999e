import { askedChannel, eventsOf } from "../../../http/channel_view.ts";
import { define } from "../../../state.ts";

/** The events of a channel so far, for a page that has joined to receive those that follow. */
export const handler = define.handlers({
  GET(ctx) {
    const { searchParams } = ctx.url;
    const asked = askedChannel(ctx.state, {
      app: searchParams.get("app"),
      name: searchParams.get("name"),
    });
    return Response.json(eventsOf(ctx.state, asked));
  },
});
