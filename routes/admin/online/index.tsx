import { page } from "fresh";
import { href } from "../../../shared/address.ts";
import { maxSearchLength, sortOf } from "../../../shared/online_table.ts";
import type { Health } from "../../../shared/health.ts";
import { onlineChannel } from "../../../channels.ts";
import { usesExternalServer } from "../../../config/client_settings.ts";
import { OnlineTableUnavailable } from "../../../components/online_table/OnlineTableUnavailable.tsx";
import { define, type State } from "../../../state.ts";
import History from "../../../islands/History.tsx";
import OnlineChart from "../../../islands/OnlineChart.tsx";
import OnlineTable from "../../../islands/OnlineTable.tsx";
import DatabaseNotice from "../../../islands/DatabaseNotice.tsx";
import ServerHealth from "../../../islands/ServerHealth.tsx";
import AlertLine from "../../../islands/AlertLine.tsx";
import Ticker from "../../../islands/Ticker.tsx";
import TopPages from "../../../islands/TopPages.tsx";
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
      count,
      counting: countingOf(ctx.state, viewerId),
      alert: count.initialCount === null ? null : ctx.state.thresholdAlert.view,
      connections: snapshot?.connections ?? null,
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

export default define.page<typeof handler>(({ data }) => {
  const { viewerId, count, counting, connections, alert, onlineTable, past, health, topPages } =
    data;
  const { settings } = count;
  return (
    <>
      <div class="live">
        <div class="live-column">
          <OnlineChart
            {...count}
            {...counting}
            initialConnections={connections}
            viewerId={viewerId}
          />
          {past && <DatabaseNotice settings={settings} first={health.outage} />}
          {alert && <AlertLine settings={settings} first={alert} />}
          {onlineTable
            ? <OnlineTable settings={settings} viewerId={viewerId} first={onlineTable} />
            : <OnlineTableUnavailable />}
          {onlineTable && onlineTable.total <= 1 && (
            <p>
              Waiting for your own users? <a href={href("/admin/connect")}>Connect your app</a>.
            </p>
          )}
        </div>
        {past && (
          <div class="live-column">
            <Ticker settings={settings} first={past.activity} at={past.at} />
            <History settings={settings} first={past.history} search={past.search} />
            <TopPages settings={settings} first={topPages} />
          </div>
        )}
      </div>
      {past && <ServerHealth settings={settings} first={health} />}
    </>
  );
});
