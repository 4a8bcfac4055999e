import { page } from "fresh";
import { maxSearchLength, sortOf } from "../../../browser/roster.ts";
import { isHosted } from "../../../client_settings.ts";
import { UnknownRoster } from "../../../components/RosterCard.tsx";
import { define, type State } from "../../../define.ts";
import OnlineChart from "../../../islands/OnlineChart.tsx";
import Roster from "../../../islands/Roster.tsx";
import { liveCount } from "../../../live_count.ts";
import { rosterPage, withViewer } from "../../../live_view/first_page.ts";
import { identityOf } from "../../../live_view/person.ts";

/** The live view: how many users are online now, and who they are. */
export const handler = define.handlers({
  async GET(ctx) {
    ctx.state.title = "Current Users Online";
    const snapshot = await snapshotFor(ctx.state);
    const { searchParams } = ctx.url;
    const query = {
      search: (searchParams.get("q") ?? "").slice(0, maxSearchLength),
      // The form has the present order in a field, and the button that was pressed comes after it.
      sort: sortOf(searchParams.getAll("sort").at(-1) ?? ""),
    };
    return page({
      viewerId: ctx.state.visitor?.id ?? "",
      count: liveCount(ctx.state, ctx.url),
      connections: snapshot?.connections ?? null,
      roster: snapshot && rosterPage(snapshot, query, Number(searchParams.get("page"))),
    });
  },
});

/** Who is online, the viewer included; null when the pages connect to a foreign server. */
async function snapshotFor({ config, liveView, session }: State) {
  if (isHosted(config.pusher) || session === null) return null;
  const { user } = session;
  return withViewer(await liveView.publisher.snapshot(), identityOf(user.id, user));
}

export default define.page<typeof handler>(({ data: { viewerId, count, connections, roster } }) => (
  <>
    <OnlineChart {...count} initialConnections={connections} viewerId={viewerId} />
    {roster
      ? <Roster settings={count.settings} viewerId={viewerId} first={roster} />
      : <UnknownRoster />}
  </>
));
