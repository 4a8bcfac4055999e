import { define } from "../../../define.ts";
import { newestComings } from "../../../live_view/comings.ts";

/** Who came and went last, for a page that begins to follow them. */
export const handler = define.handlers({
  async GET(ctx) {
    const { accounts, chronicle } = ctx.state;
    const comings = await newestComings(chronicle.attendance, (ids) => accounts.findAll(ids));
    return Response.json(comings, { headers: { "cache-control": "no-store" } });
  },
});
