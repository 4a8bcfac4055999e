import { HttpError, page } from "fresh";
import { href } from "@/shared/address.ts";
import { Home } from "@/components/page/Home.tsx";
import { define } from "@/http/state.ts";
import UsersCount from "@/islands/UsersCount.tsx";
import { liveCount, viewerOf } from "@/http/counted_view.ts";
import { blockedText } from "@/http/rejection.ts";
import { signInPath } from "@/http/session_cookies.ts";
import { text } from "@/shared/language.ts";

/** The home page: the live number, for visitors who are counted. Others are redirected to sign-in. */
export const handler = define.handlers({
  GET(ctx) {
    if (ctx.state.isBlocked) throw new HttpError(403, blockedText());
    if (!ctx.state.visitor) return ctx.redirect(href(signInPath(ctx.url)), 303);
    ctx.state.title = text`Home`;
    return page(liveCount(ctx.state, ctx.url));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <Home viewer={viewerOf(state)}>
    <UsersCount {...data} />
  </Home>
));
