import { useMemo, useState } from "react";
import { onlineFeed, useOnline } from "../browser/online/online_feed.ts";
import {
  onlineTableOf,
  type OnlineTablePage,
  type OnlineTableQuery,
  sortAfter,
  sortName,
} from "../shared/online_table.ts";
import { onlineTableStatus } from "../browser/online/online_table_status.ts";
import { hitsText } from "../browser/online/online_table_text.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { useThrottled } from "../browser/page/throttled.ts";
import { readersPlace, serverPlace } from "../browser/page/time_text.ts";
import { useNow } from "../browser/page/use_now.ts";
import { OnlineTableCard } from "../components/online_table/OnlineTableCard.tsx";
import { OnlineTableFoot } from "../components/online_table/OnlineTableFoot.tsx";
import { OnlineTablePager } from "../components/online_table/OnlineTablePager.tsx";
import { OnlineTableSearch } from "../components/online_table/OnlineTableSearch.tsx";
import { OnlineTableRows } from "../components/online_table/OnlineTable.tsx";
import { ConnectionStatus } from "../components/presence/ConnectionStatus.tsx";
/** The form of the search and the sorting. */
const formId = "online-table-query";

/** How often a screen reader is told how many are found, in milliseconds. */
const announceEveryMs = 1_500;

/** How often the clock is looked at, and how often ages are told anew, in milliseconds. */
const [tickMs, ageEveryMs] = [1_000, 10_000];

interface Props {
  settings: ClientSettings;
  /** The id under which the viewer is a member. */
  viewerId: string;
  /** What the server drew. */
  first: OnlineTablePage;
}

/** Everybody who is online, by name. */
export default function OnlineTable({ settings, viewerId, first }: Props) {
  const presence = usePresence(settings);
  const online = useOnline(settings);
  const [query, setQuery] = useState<OnlineTableQuery>(first.query);
  const clock = useNow(tickMs);
  const trust = onlineTableStatus(presence, online, clock ?? first.at);
  const isLive = trust.status === "live";

  const byId = online.people?.byId;
  const people = useMemo(() => {
    if (byId) return onlineTableOf(byId.values(), query);
    return query === first.query ? first.people : onlineTableOf(first.people, query);
  }, [byId, query]);
  const isWhole = byId !== undefined || query !== first.query;
  const hits = isWhole ? people.length : first.hits;
  const total = byId?.size ?? first.total;
  const said = useAnnouncement(query.search, hitsText(hits, total, true));
  const now = serversTime(isLive ? clock : trust.asOf, online.clockAhead) ?? first.at;
  const place = clock === null ? serverPlace : readersPlace;
  // Kept while nothing in it changed: every frame that comes draws what is around it.
  const table = useMemo(() => (
    <OnlineTableRows
      people={people}
      before={isWhole ? 0 : first.before}
      total={hits}
      sort={query.sort}
      order={`${sortName(query.sort)} ${query.search}`}
      formId={formId}
      onSort={(column) => setQuery({ ...query, sort: sortAfter(query.sort, column) })}
      viewerId={viewerId}
      now={now}
      place={place}
      isLive={isLive}
    />
  ), [people, hits, query, now, place, isLive]);

  return (
    // While it is live the card with the number says since when.
    <OnlineTableCard
      aside={
        <ConnectionStatus presence={isLive ? { ...trust, asOf: null } : trust} serverTime={null} />
      }
    >
      <OnlineTableSearch
        formId={formId}
        query={query}
        onSearch={(search) => setQuery({ ...query, search })}
      />
      <div class="online-table-list" data-trust={trust.status}>
        {table}
        {people.length === 0 && <NobodyFound search={query.search} />}
      </div>
      <OnlineTableFoot
        hits={hits}
        total={total}
        search={query.search}
        problem={online.problem}
        onRetry={online.state === "asking" ? () => onlineFeed(settings).hurry() : undefined}
      />
      {!isWhole && <OnlineTablePager query={query} page={first.page} pages={first.pages} />}
      <p class="visually-hidden" aria-live="polite">{said}</p>
    </OnlineTableCard>
  );
}

/** The time by the server's clock, in steps: ages stand still when the list does. */
function serversTime(time: number | null, clockAhead: number | null): number | null {
  if (time === null || clockAhead === null) return null;
  return Math.floor(time / ageEveryMs) * ageEveryMs + clockAhead;
}

/** What a screen reader is told once the reader has typed: not again when people come and go. */
function useAnnouncement(search: string, words: string): string {
  const settled = useThrottled(search, announceEveryMs);
  return useMemo(() => settled.trim() === "" ? "" : words, [settled]);
}

function NobodyFound({ search }: { search: string }) {
  return (
    <p class="online-table-nobody soft">
      {search.trim() === ""
        ? "Nobody is online."
        : `Nobody who is online has “${search.trim()}” in name or id.`}
    </p>
  );
}
