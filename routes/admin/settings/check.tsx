import { page } from "fresh";
import { href } from "@/shared/address.ts";
import { CheckPage } from "@/components/check/CheckPage.tsx";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";

/**
 * Runs the connection check and shows its report. The admin log does not have it: a check changes nothing
 * and finds out only what any client can.
 */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = text`Check`;
    const { checks } = ctx.state;
    const { address, isRunning } = checks;
    return page({ address, isRunning, report: await checks.latest() });
  },
  async POST(ctx) {
    await ctx.state.checks.run();
    return ctx.redirect(href("/admin/settings/check"), 303);
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <CheckPage csrfToken={state.csrfToken} {...data} />
));
