import { useMemo, useState } from "react";
import { currentMoment, rowsOf, shownPresence } from "../live_view/moment.ts";
import { onlineFeed, useOnline } from "../live_view/online_feed.ts";
import {
  onlineTableOf,
  type OnlineTablePage,
  type OnlineTableQuery,
  sortAfter,
  sortName,
} from "@/shared/online_table.ts";
import { useLargeRows } from "./use_large_rows.ts";
import { onlineTableStatus } from "./online_table_status.ts";
import { hitsText } from "./online_table_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { isCurrent } from "../presence/presence.ts";
import { usePresence } from "../presence/shared_presence.ts";
import { useThrottled } from "../page/throttled.ts";
import { useTimeStyle } from "../page/time_text.ts";
import { useNow } from "../page/use_now.ts";
import { OnlineTableCard } from "./OnlineTableCard.tsx";
import { OnlineTableFoot } from "./OnlineTableFoot.tsx";
import { OnlineTableSearch } from "./OnlineTableSearch.tsx";
import { RowClock } from "./OnlineTableRow.tsx";
import { OnlineTableRows } from "./OnlineTableRows.tsx";
import { numberedPages, Pager } from "../page/Pager.tsx";
import { ConnectionStatus } from "../presence/ConnectionStatus.tsx";

/** The id of the form of the search and the order. */
const formId = "online-table-query";

/** Screen readers announce the number of matches at most this often, in milliseconds. */
const announceEveryMs = 1_500;

/** How often status and lengths of time, and how often the ages in the rows, are updated, in milliseconds. */
const [tickMs, ageEveryMs] = [1_000, 10_000];

interface Props {
  settings: ClientSettings;
  /** The id under which the viewer is a member. */
  viewerId: string;
  /** The page of the table in the HTML. */
  first: OnlineTablePage;
}

/** Everyone who is online, by name. */
export function OnlineTable({ settings, viewerId, first }: Props) {
  const connection = usePresence(settings);
  const online = useOnline(settings);
  const presence = shownPresence(settings, connection, online);
  const [query, setQuery] = useState<OnlineTableQuery>(first.query);
  const clock = useNow(tickMs);
  const { status, asOf } = onlineTableStatus(presence, online, clock ?? first.at);
  const isLive = isCurrent(status);

  const [rows, onView] = useLargeRows(settings, online, query);
  // The rows of a query come a moment after it, where the server has the list.
  const shown = rows?.query ?? query;
  const byId = currentMoment(presence, online)?.byId;
  const { members } = presence;
  const people = useMemo(() => {
    if (rows) return rows.people;
    if (byId) return rowsOf(byId, query, online.state);
    const known = first.people.filter(({ id }) => members?.has(id) ?? true);
    return query === first.query ? known : onlineTableOf(known, query);
  }, [rows, byId, byId ? online.state : members, query]);
  const isListed = rows !== null || byId !== undefined;
  const isWhole = isListed || query !== first.query;
  const total = online.summary?.users ?? byId?.size ?? members?.size ?? first.total;
  const isSearched = shown.search.trim() !== "";
  const hits = isWhole ? people.length : isSearched ? first.hits : total;
  const isLoading = isListed ? !isSearched && total > 0 : first.isLate === true;
  // Before the list is there, the number of matches is not known.
  const announced = useAnnouncement(isListed ? shown.search : "", hitsText(hits, total, true));
  const time = isLive ? clock : asOf;
  const now = serversTime(time, online.clockAhead, ageEveryMs) ?? first.at;
  const second = serversTime(time, online.clockAhead, tickMs) ?? first.at;
  const style = useTimeStyle();
  // Memoized, because the card around it renders after every frame.
  const table = useMemo(() => (
    <OnlineTableRows
      people={people}
      before={isWhole ? 0 : first.before}
      total={hits}
      sort={query.sort}
      order={`${sortName(shown.sort)} ${shown.search}`}
      onView={onView}
      formId={formId}
      onSort={(column) => setQuery({ ...query, sort: sortAfter(query.sort, column) })}
      viewerId={viewerId}
      now={now}
      style={style}
      isLive={isLive}
      channelQuery={settings.channelQuery}
    />
  ), [people, hits, query, now, style, isLive]);

  return (
    <OnlineTableCard
      hasMessage={!settings.pagesChannel}
      aside={!isLive && status !== "connecting" && (
        <ConnectionStatus presence={{ status, asOf }} serverTime={null} />
      )}
    >
      <OnlineTableSearch
        formId={formId}
        channel={new URLSearchParams(settings.channelQuery).get("channel")}
        query={query}
        onSearch={(search) => setQuery({ ...query, search })}
      />
      <div class="online-table-list" data-status={status}>
        <RowClock.Provider value={second}>{table}</RowClock.Provider>
        {people.length === 0 && <NoOneFound search={shown.search} isLoading={isLoading} />}
      </div>
      <OnlineTableFoot
        hits={hits}
        total={total}
        search={shown.search}
        problem={online.problem === presence.reason ? "" : online.problem}
        onRetry={online.state === "asking" ? () => onlineFeed(settings).hurry() : undefined}
      />
      {!isWhole && (
        <div class="without-script">
          <Pager
            label="Pages of the list"
            {...numberedPages(first, (page) => pathOf(query, page, settings))}
          />
        </div>
      )}
      <p class="visually-hidden" aria-live="polite">{announced}</p>
    </OnlineTableCard>
  );
}

/** The time by the server's clock, in steps. Ages do not grow while the list is not updated. */
function serversTime(
  time: number | null,
  clockAhead: number | null,
  stepMs: number,
): number | null {
  if (time === null || clockAhead === null) return null;
  return Math.floor(time / stepMs) * stepMs + clockAhead;
}

/** The announcement after a search; not repeated when people join and leave. */
function useAnnouncement(search: string, text: string): string {
  const settled = useThrottled(search, announceEveryMs);
  return useMemo(() => settled.trim() === "" ? "" : text, [settled]);
}

function pathOf(
  { search, sort }: OnlineTableQuery,
  page: number,
  { channelQuery = "" }: ClientSettings,
): string {
  const parameters = { q: search, sort: sortName(sort), page: String(page) };
  return `/admin/online?${new URLSearchParams(parameters)}&${channelQuery}#online-table`;
}

function NoOneFound({ search, isLoading }: { search: string; isLoading: boolean }) {
  return (
    <p class="online-table-empty soft">
      {isLoading
        ? "Loading the list…"
        : search.trim() === ""
        ? "No one is online right now."
        : `No one online matches “${search.trim()}”.`}
    </p>
  );
}
