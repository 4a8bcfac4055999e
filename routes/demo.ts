import { HttpError } from "fresh";
import { define } from "@/http/state.ts";
import { href } from "@/shared/address.ts";
import { signInNewUser } from "@/http/session_cookies.ts";
import { runningDemo, takeLink } from "@/server/demo/running_demo.ts";

const firstPage = "/admin/online";

/** Signs the reader of a demo in as its admin, by the link that it prints, once. Elsewhere there is no such page. */
export const handler = define.handlers({
  async GET(ctx) {
    const demo = runningDemo();
    if (!demo) throw new HttpError(404);
    // A preview of the link must not use it up.
    if (ctx.req.method === "HEAD") return new Response(null);
    if (ctx.state.session) return ctx.redirect(href(firstPage), 303);
    if (!takeLink(demo, ctx.url.searchParams.get("token") ?? "")) {
      throw new HttpError(403, "This link has been used. Start the demo again for a new one.");
    }
    return await signInNewUser(ctx, demo.admin, firstPage);
  },
});
