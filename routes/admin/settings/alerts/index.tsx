import { page } from "fresh";
import { AlertsPage } from "@/components/alert/AlertsPage.tsx";
import { alertsView } from "@/http/alerts_view.ts";
import { define } from "@/http/state.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  added: "Receiver added. Send it a test.",
  deleted: "Receiver deleted.",
  rule: "Rule added.",
  rule_deleted: "Rule deleted.",
};

/** The rules of alerts, whom they tell, and what became of the last messages. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Alerts";
    const done = ctx.url.searchParams.get("done") ?? "";
    return page(await alertsView(ctx.state, Object.hasOwn(outcomes, done) ? outcomes[done] : ""));
  },
});

export default define.page<typeof handler>(({ data }) => <AlertsPage view={data} />);
