import { page } from "fresh";
import { SettingsPage } from "../../../components/settings/SettingsPage.tsx";
import { define } from "../../../state.ts";
import { settingsView } from "../../../http/settings_view.ts";

/** What the page says after an action; the address names it by the first word. */
const outcomes: Record<string, string> = {
  alert: "The alert has been saved.",
  revoked: "The link has been revoked; its screens are blank.",
};

/** The alert at a number of users, and the links of the wallboards. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Settings";
    const done = ctx.url.searchParams.get("done") ?? "";
    return page(
      await settingsView(ctx.state, { done: Object.hasOwn(outcomes, done) ? outcomes[done] : "" }),
    );
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <SettingsPage csrfToken={state.csrfToken} view={data} />
));
