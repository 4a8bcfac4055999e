import { userFromUrl } from "@/http/users_view.ts";
import { revokeResetLink } from "@/server/people/manage_user.ts";
import { href, userPath } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Revokes the link that resets a user's password, if there is one. */
export const handler = define.handlers({
  async POST(ctx) {
    const user = await userFromUrl(ctx.state, ctx.params);
    await revokeResetLink(ctx.state, user);
    return ctx.redirect(href(`${userPath(user.id)}?done=revoked`), 303);
  },
});
