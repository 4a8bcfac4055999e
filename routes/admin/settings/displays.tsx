import { page } from "fresh";
import { DisplaysPage } from "@/components/settings/DisplaysPage.tsx";
import { outcomeOf } from "@/http/request.ts";
import { displaysView } from "@/http/settings_view.ts";
import { define } from "@/http/state.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  revoked: keyText("Link revoked."),
  embed: keyText("Embed revoked."),
};

/** The displays: the wallboard links and the embeds. */
export const handler = define.handlers({
  async GET(ctx) {
    return page(
      await displaysView(ctx.state, { done: longText(outcomeOf(ctx.url, outcomes) ?? "") }),
    );
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <DisplaysPage csrfToken={state.csrfToken} view={data} />
));
