import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Redirects to the first section. An older address that names a channel leads to the alert of that channel. */
export const handler = define.handlers({
  GET(ctx) {
    const { searchParams, search } = ctx.url;
    const section = searchParams.has("channel") ? `alerts${search}` : "connect";
    return ctx.redirect(href(`/admin/settings/${section}`));
  },
});
