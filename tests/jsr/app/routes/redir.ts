import { define } from "../define.ts";
export const handler = define.handlers({
  GET: (ctx) =>
    ctx.url.searchParams.has("native")
      ? Response.redirect("http://localhost/x")
      : ctx.redirect(ctx.url.searchParams.get("to") ?? "/", 307),
});
