import { page } from "fresh";
import { SettingsPage } from "@/components/settings/SettingsPage.tsx";
import { define } from "@/http/state.ts";
import { channelOfQuery } from "@/http/counted_view.ts";
import { settingsView } from "@/http/settings_view.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  alert: "Alert saved.",
  revoked: "Link revoked.",
  embed: "Embed revoked.",
  site: "Site tag revoked.",
};

/** The settings: the alert, the wallboard links, the embeds, the site tags and the public URL. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Settings";
    const done = ctx.url.searchParams.get("done") ?? "";
    return page(
      await settingsView(ctx.state, {
        channel: channelOfQuery(ctx.state, ctx.url),
        done: Object.hasOwn(outcomes, done) ? outcomes[done] : "",
      }),
    );
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SettingsPage csrfToken={state.csrfToken} view={data} />
));
