import { define } from "../../../state.ts";

/** Everyone who is online, for a page that starts following changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const snapshot = await ctx.state.liveView.publisher.snapshot();
    return Response.json(snapshot);
  },
});
