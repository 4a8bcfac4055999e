import { page } from "fresh";
import { maxSearchLength, sortOf } from "../../../shared/online_table.ts";
import type { Health } from "../../../shared/health.ts";
import { onlineChannel } from "../../../channels.ts";
import { usesExternalServer } from "../../../config/client_settings.ts";
import { define, type State } from "../../../state.ts";
import LiveView from "../../../islands/LiveView.tsx";
import { liveCount } from "../../../http/live_count.ts";
import { recentActivity } from "../../../online/activity/activity.ts";
import { historyReport, readChoice, utcMidnight } from "../../../online/history/history_report.ts";
import { onlineTablePage, withViewer } from "../../../online/online_table_page.ts";
import { identityOf } from "../../../online/person.ts";

/** The live view: the number of users online, and who they are. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Current Users Online";
    const snapshot = await snapshotFor(ctx.state);
    const { searchParams } = ctx.url;
    const query = {
      search: (searchParams.get("q") ?? "").slice(0, maxSearchLength),
      // The form has the present order in a field, before that of the button that was pressed.
      sort: sortOf(searchParams.getAll("sort").at(-1) ?? ""),
    };
    const counted = liveCount(ctx.state, ctx.url);
    // Of the moment of the list and the totals: people come while names are looked up.
    const count = { ...counted, initialCount: snapshot?.users ?? counted.initialCount };
    const viewerId = ctx.state.visitor?.id ?? "";
    return page({
      viewerId,
      ...count,
      ...countingOf(ctx.state, viewerId),
      initialConnections: snapshot?.connections ?? null,
      alert: count.initialCount === null ? null : ctx.state.thresholdAlert.view,
      onlineTable: snapshot && onlineTablePage(snapshot, query, Number(searchParams.get("page"))),
      past: snapshot && await pastFor(ctx.state, ctx.url),
      health: healthWithPage(ctx.state.liveView.health.measure()),
      topPages: ctx.state.liveView.topPages.current(),
    });
  },
});

/** Whether the viewer is counted in this browser, and whether in any. */
function countingOf({ csrfToken, isObserver, ownApp }: State, viewerId: string) {
  const isElsewhere = () => ownApp.presence(onlineChannel).userIds.includes(viewerId);
  return { csrfToken, isCounted: !isObserver, initiallyIncluded: !isObserver || isElsewhere() };
}

/** Who is online, the viewer included unless an observer; null with an external Pusher server. */
async function snapshotFor({ config, isObserver, liveView, session }: State) {
  if (usesExternalServer(config.pusher) || session === null) return null;
  const { user } = session;
  const snapshot = await liveView.publisher.snapshot();
  return isObserver ? snapshot : withViewer(snapshot, identityOf(user.id, user));
}

/** The health of the server with the connection that the page is about to open, as in the other numbers. */
function healthWithPage(health: Health): Health {
  return { ...health, connections: health.connections + 1 };
}

/** How many users were online, and the latest activity. */
async function pastFor({ accounts, onlineRecorder }: State, { search, searchParams }: URL) {
  const at = Date.now();
  const asked = { ...readChoice(searchParams), midnight: utcMidnight(at) };
  return {
    at,
    search,
    history: await historyReport(onlineRecorder, asked, at),
    activity: await recentActivity(onlineRecorder.activity, (ids) => accounts.findAll(ids)),
  };
}

export default define.page<typeof handler>(({ data }) => <LiveView {...data} />);
