import { href } from "@/shared/address.ts";
import { visibleCounted } from "@/http/counted_view.ts";
import { define } from "@/http/state.ts";

/** Redirects `/admin` to the live view, or who may follow no counted channel to the channels. */
export const handler = define.handlers({
  GET(ctx) {
    const mayFollow = visibleCounted(ctx.state).length > 0;
    return ctx.redirect(href(mayFollow ? "/admin/online" : "/admin/channels"));
  },
});
