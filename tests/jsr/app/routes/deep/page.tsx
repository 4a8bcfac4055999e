import { page } from "fresh";
import { define } from "../../define.ts";
export const handler = define.handlers({
  GET: (ctx) => {
    ctx.state.log.push("h");
    return page({ x: 1 }, { status: 202, headers: { "x-h": "1" } });
  },
  POST: () => page({ x: 2 }),
  DELETE: () => new Response(null, { status: 204 }),
});
export default define.page<typeof handler>((p) => <p>deep x={p.data.x}</p>);
