import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Redirects to the first section. An older address that names a channel leads to the alert of that channel. */
export const handler = define.handlers({
  GET({ redirect, url: { searchParams, search } }) {
    const section = searchParams.has("channel") ? `alerts${search}` : "connect";
    return redirect(href(`/admin/settings/${section}`));
  },
});
