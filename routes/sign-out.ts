import { define } from "../define.ts";

/** Ends the session of the browser. */
export const handler = define.handlers({
  async POST(ctx) {
    const cookies = await ctx.state.accounts.signOut(ctx.req.headers);
    const response = ctx.redirect("/sign-in", 303);
    for (const cookie of cookies) response.headers.append("set-cookie", cookie);
    return response;
  },
});
