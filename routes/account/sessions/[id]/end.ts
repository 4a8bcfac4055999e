import { HttpError } from "fresh";
import { sessionOf } from "@/http/request.ts";
import { endSession } from "@/server/people/manage_user.ts";
import { href } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/** Ends one of one's own sessions. */
export const handler = define.handlers({
  async POST(ctx) {
    const ended = await endSession(ctx.state, sessionOf(ctx.state), ctx.params.id);
    if (!ended) throw new HttpError(404, text`This session has already ended.`);
    return ctx.redirect(href("/account?done=ended"), 303);
  },
});
