import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Redirects to the first section; an address of before that names a channel, to that channel's alert. */
export const handler = define.handlers({
  GET({ redirect, url: { searchParams, search } }) {
    const section = searchParams.has("channel") ? `alerts${search}` : "connect";
    return redirect(href(`/admin/settings/${section}`));
  },
});
