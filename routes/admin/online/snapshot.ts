import { define } from "../../../state.ts";

/** Everyone who is online, for a page that starts to follow the changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const snapshot = await ctx.state.liveView.publisher.snapshot();
    return Response.json(snapshot, { headers: { "cache-control": "no-store" } });
  },
});
