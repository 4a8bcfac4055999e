import { define } from "../../../state.ts";

/** Everybody who is online, for a page that begins to follow the changes. */
export const handler = define.handlers({
  async GET(ctx) {
    const snapshot = await ctx.state.liveView.publisher.snapshot();
    return Response.json(snapshot, { headers: { "cache-control": "no-store" } });
  },
});
