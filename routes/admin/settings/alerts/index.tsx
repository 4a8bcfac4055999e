import { page } from "fresh";
import { AlertsPage } from "@/components/alert/AlertsPage.tsx";
import { alertsView } from "@/http/alerts_view.ts";
import { channelOfQuery } from "@/http/counted_view.ts";
import { outcomeOf } from "@/http/request.ts";
import { define } from "@/http/state.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  alert: keyText("Alert saved."),
  added: keyText("Receiver added. Send it a test."),
  deleted: keyText("Receiver deleted."),
  rule: keyText("Rule added."),
  rule_deleted: keyText("Rule deleted."),
};

/** The alert of the live view, the rules of alerts, whom they tell, and what became of the last messages. */
export const handler = define.handlers({
  async GET(ctx) {
    return page(
      await alertsView(ctx.state, {
        channel: channelOfQuery(ctx.state, ctx.url),
        done: longText(outcomeOf(ctx.url, outcomes) ?? ""),
      }),
    );
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <AlertsPage csrfToken={state.csrfToken} view={data} />
));
