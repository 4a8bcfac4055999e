import { useMemo, useState } from "react";
import { onlineFeed, useOnline } from "../browser/online/online_feed.ts";
import { rosterOf, type RosterQuery, sortAfter, sortName } from "../browser/online/online_table.ts";
import { rosterTrust } from "../browser/online/online_table_status.ts";
import { hitsWords } from "../browser/online/online_table_text.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { useThrottled } from "../browser/page/throttled.ts";
import { readersPlace, serverPlace } from "../browser/page/time_text.ts";
import { useNow } from "../browser/page/use_now.ts";
import { RosterCard } from "../components/online_table/OnlineTableCard.tsx";
import { RosterFoot } from "../components/online_table/OnlineTableFoot.tsx";
import { RosterPager } from "../components/online_table/OnlineTablePager.tsx";
import { RosterSearch } from "../components/online_table/OnlineTableSearch.tsx";
import { RosterTable } from "../components/online_table/OnlineTable.tsx";
import { TrustBadge } from "../components/presence/ConnectionStatus.tsx";
import type { RosterPage } from "../online/first_page.ts";

/** The form of the search and the sorting. */
const formId = "roster-query";

/** How often a screen reader is told how many are found, in milliseconds. */
const announceEveryMs = 1_500;

/** How often the clock is looked at, and how often ages are told anew, in milliseconds. */
const [tickMs, ageEveryMs] = [1_000, 10_000];

interface Props {
  settings: ClientSettings;
  /** The id under which the viewer is a member. */
  viewerId: string;
  /** What the server drew. */
  first: RosterPage;
}

/** Everybody who is online, by name. */
export default function Roster({ settings, viewerId, first }: Props) {
  const presence = usePresence(settings);
  const online = useOnline(settings);
  const [query, setQuery] = useState<RosterQuery>(first.query);
  const clock = useNow(tickMs);
  const trust = rosterTrust(presence, online, clock ?? first.at);
  const isLive = trust.status === "live";

  const byId = online.people?.byId;
  const people = useMemo(() => {
    if (byId) return rosterOf(byId.values(), query);
    return query === first.query ? first.people : rosterOf(first.people, query);
  }, [byId, query]);
  const isWhole = byId !== undefined || query !== first.query;
  const hits = isWhole ? people.length : first.hits;
  const total = byId?.size ?? first.total;
  const said = useAnnouncement(query.search, hitsWords(hits, total, true));
  const now = serversTime(isLive ? clock : trust.asOf, online.clockAhead) ?? first.at;
  const place = clock === null ? serverPlace : readersPlace;
  // Kept while nothing in it changed: every frame that comes draws what is around it.
  const table = useMemo(() => (
    <RosterTable
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
    <RosterCard
      aside={<TrustBadge presence={isLive ? { ...trust, asOf: null } : trust} serverTime={null} />}
    >
      <RosterSearch
        formId={formId}
        query={query}
        onSearch={(search) => setQuery({ ...query, search })}
      />
      <div class="roster-list" data-trust={trust.status}>
        {table}
        {people.length === 0 && <NobodyFound search={query.search} />}
      </div>
      <RosterFoot
        hits={hits}
        total={total}
        search={query.search}
        problem={online.problem}
        onRetry={online.state === "asking" ? () => onlineFeed(settings).hurry() : undefined}
      />
      {!isWhole && <RosterPager query={query} page={first.page} pages={first.pages} />}
      <p class="visually-hidden" aria-live="polite">{said}</p>
    </RosterCard>
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
    <p class="roster-nobody soft">
      {search.trim() === ""
        ? "Nobody is online."
        : `Nobody who is online has “${search.trim()}” in name or id.`}
    </p>
  );
}
