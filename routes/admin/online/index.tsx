import type { Totals } from "@/shared/online.ts";
import { type Context, page } from "fresh";
import { docsPath } from "@/shared/docs.ts";
import { filterOf, maxSearchLength, sortOf } from "@/shared/online_table.ts";
import type { Health } from "@/shared/servers.ts";
import { onlineChannel, totalsChannel } from "@/server/presence/channels.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import { define, type State } from "@/http/state.ts";
import ConnectPanel from "@/islands/ConnectPanel.tsx";
import LiveView from "@/islands/LiveView.tsx";
import Servers from "@/islands/Servers.tsx";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import { onlineKey } from "@/shared/counted.ts";
import {
  channelOfQuery,
  channelSettings,
  chosenCounted,
  countedNames,
  liveCount,
} from "@/http/counted_view.ts";
import { unavailableText } from "@/components/online_table/OnlineTable.tsx";
import { connectView } from "@/http/connect_view.ts";
import { countingText } from "@/components/presence/OnlineChart.tsx";
import { shownHistory } from "@/components/history/EventsCard.tsx";
import { recentActivity } from "@/server/activity/activity.ts";
import { historyWithEvents, readChoice, utcMidnight } from "@/server/history/history_report.ts";
import { withViewer } from "@/server/live_view/online_table_page.ts";
import { href } from "@/shared/address.ts";
import { maxPathLength } from "@/realtime/protocol/incoming.ts";
import { may, type Role } from "@/shared/permissions.ts";
import { currentFreshness } from "@/server/presence/servers.ts";
import { identityOf } from "@/server/presence/identity.ts";
import { text } from "@/shared/language.ts";

/** The live view of a counted channel: the number of its users, and who they are. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, url } = ctx;
    const channel = channelOfQuery(state, url);
    const isOnline = channel.key === onlineKey;
    state.title = isOnline ? text`Current Users Online` : channel.channel;
    const snapshot = await snapshotFor(state, channel);
    const { searchParams } = url;
    const query = {
      search: (searchParams.get("q") ?? "").slice(0, maxSearchLength),
      // The form has the present order in a field, before the field of the button that was pressed.
      sort: sortOf(searchParams.getAll("sort").at(-1) ?? ""),
      only: filterOf(searchParams.get("only") ?? searchParams.get("activity")),
      ...snapshot && !snapshot.isLarge && pageOf(searchParams.get("page")),
    };
    const live = liveCount(state, url);
    const counted = snapshot && countedChannels(state, channel);
    const onlineTable = snapshot && await state.liveView.publisherOf(channel.key)
      .page(snapshot, query, Number(searchParams.get("part")));
    const settings = { ...live.settings, ...channelSettings(channel), ...counted?.settings };
    const role = state.session?.user.role;
    const viewerId = channel.isOwn ? state.visitor?.id ?? "" : "";
    const counting = isOnline && countingOf(ctx, viewerId, snapshot !== null);
    const isEmpty = counting && onlineTable !== null &&
      onlineTable.total <= Number(counting.initiallyIncluded);
    return page({
      connect: isEmpty ? await connectPanel(state, url) : null,
      viewerId,
      title: state.title,
      ...pathsFor(role, channel),
      settings,
      // Of the moment of the list and the totals: people come while names are looked up.
      initialCount: snapshot?.users ?? live.initialCount,
      asOf: live.asOf,
      freshness: currentFreshness(channel.recovery, state.servers),
      initial: snapshot && totalsIn(snapshot),
      ...counting,
      note: countingText({ ofAdmins: isOnline && snapshot !== null }),
      counted: counted?.view,
      alert: snapshot && channel.alert.view,
      onlineTable,
      ...!onlineTable && { unavailable: unavailableText() },
      past: snapshot && await pastFor(state, url, channel),
      health: healthWithPage(await state.liveView.health.measure()),
      topPages: isOnline ? await state.liveView.topPages.current() : null,
    });
  },
});

/** What connects an app, for who may, until one had a user. */
async function connectPanel(state: State, url: URL) {
  const { apps, firstAppUser, session } = state;
  if (firstAppUser.hasCome || !may(session?.user.role, "manage")) return null;
  const { app, guides, settings, status } = await connectView(state, url, apps.list()[0]);
  return { appId: app.id, first: status, guides, settings };
}

/** The page by which an address filters the list; none if it is no path. */
function pageOf(path: string | null): { page?: string } {
  return path?.startsWith("/") ? { page: path.slice(0, maxPathLength) } : {};
}

/** The pages that the live view links to, as far as the reader's role permits them. */
function pathsFor(role: Role | undefined, channel: CountedChannel) {
  const isOnline = channel.key === onlineKey;
  return {
    ...isOnline && may(role, "act") && { messagesPath: href("/admin/messages") },
    ...may(role, "manage") && { alertPath: `${pathFor("/admin/settings/alerts", channel)}#alert` },
  };
}

/** The address of a page of a counted channel; without a query for that of the users online. */
function pathFor(path: string, channel: CountedChannel): string {
  const { channelQuery } = channelSettings(channel);
  return href(channelQuery ? `${path}?${channelQuery}` : path);
}

/** Whether the viewer is counted in this browser, and whether in any. @param isShown with the switch */
function countingOf(
  { req, state: { config, csrfToken, isObserver, ownApp } }: Context<State>,
  viewerId: string,
  isShown: boolean,
) {
  const isChosen = chosenCounted(req.headers, config) !== undefined;
  const isElsewhere = () => ownApp.presence.isMember(onlineChannel, viewerId);
  return {
    counting: isShown ? { csrfToken, isChosen, isCounted: !isObserver } : undefined,
    initiallyIncluded: !isObserver || isElsewhere(),
  };
}

/**
 * Who is in the channel; null with an external Pusher server. In the channel of the users online, the viewer is
 * included unless an observer.
 */
async function snapshotFor(
  { config, isObserver, liveView, session }: State,
  { key, presence }: CountedChannel,
) {
  if (usesExternalServer(config.pusher) || session === null) return null;
  const { user } = session;
  const snapshot = await liveView.publisherOf(key).snapshot();
  return isObserver || key !== onlineKey
    ? snapshot
    : withViewer(snapshot, identityOf(user.id, user), presence.has(user.id));
}

/** The counted channels that the reader may see and the sum of their users, where there are several. */
function countedChannels(state: State, { key: shown }: CountedChannel) {
  const names = countedNames(state);
  if (!names) return undefined;
  const joining = state.isObserver ? undefined : state.visitor?.id;
  const isShown = (key: string) => names.some((name) => name.key === key);
  const first = state.liveView.totals({ isShown, joining });
  if (!first) return undefined;
  const totals = totalsChannel(names).replace(/^private-/, "");
  return { settings: { totalsChannel: totals }, view: { names, first, shown } };
}

/** The health of the server with the connection that the page is about to open, as in the other numbers. */
function healthWithPage(health: Health): Health {
  return { ...health, connections: health.connections + 1 };
}

/** How many users were online, and the latest activity. */
async function pastFor(
  state: State,
  { search, searchParams }: URL,
  channel: CountedChannel,
) {
  const { accounts, onlineRecorder: { activity } } = state;
  const at = Date.now();
  const asked = { ...readChoice(searchParams), midnight: utcMidnight(at) };
  return {
    at,
    search,
    numbersPath: pathFor("/admin/activity/numbers", channel),
    history: shownHistory(await historyWithEvents(state, channel, asked, at)),
    activity: await recentActivity(activity, channel.key, (ids) => accounts.findAll(ids)),
  };
}

/** Without the list, which the page has apart. */
function totalsIn({ users, guests, connections, active }: Totals): Totals {
  return { users, guests, connections, active };
}

export default define.page<typeof handler>(({ data: { connect, ...view } }) => {
  const { health, past, settings, viewerId } = view;
  const live = (
    <>
      <LiveView {...view} />
      {past && health.servers && <Servers settings={settings} first={health} />}
    </>
  );
  return (
    <>
      {/* Of the notice that the live view shows; without script of its own. */}
      {health.outage && (
        <p>
          <a href={href(docsPath("monitoring", "when-the-database-is-away"))}>
            {text`What to do when the database fails`}
          </a>
        </p>
      )}
      {connect
        ? (
          <div class="live">
            {live}
            <ConnectPanel {...connect} viewerId={viewerId} />
          </div>
        )
        : live}
    </>
  );
});
