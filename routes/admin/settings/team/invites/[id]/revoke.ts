import { HttpError } from "fresh";
import { revokeInvite } from "@/server/people/manage_user.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Revokes an invitation. */
export const handler = define.handlers({
  async POST(ctx) {
    const revoked = await revokeInvite(ctx.state, ctx.params.id);
    if (!revoked) throw new HttpError(404, text`This invitation was already used or has expired.`);
    return ctx.redirect(href("/admin/settings/team?done=revoked"), 303);
  },
});
