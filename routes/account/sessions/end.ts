import { sessionOf } from "@/http/request.ts";
import { endOtherSessions } from "@/server/people/manage_user.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";

/** Ends all of one's own sessions but this one. */
export const handler = define.handlers({
  async POST(ctx) {
    await endOtherSessions(ctx.state, sessionOf(ctx.state));
    return ctx.redirect(href("/account?done=others"), 303);
  },
});
