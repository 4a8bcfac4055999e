import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Card } from "../page/elements.tsx";
import {
  currentSnapshot,
  hitsText,
  onlineTableStatus,
  rowsOf,
  shownPresence,
} from "../live_view/snapshot.ts";
import {
  type FilterCounts,
  filterCounts,
  filterOf,
  maxSearchLength,
  type OnlineTableFilter,
  onlineTableFilters,
  onlineTableOf,
  type OnlineTablePage,
  type OnlineTableQuery,
  sortAfter,
  sortName,
} from "@/shared/online_table.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import { onlineFeed, useOnline } from "../live_view/online_feed.ts";
import { useLargeRows } from "./use_large_rows.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { isCurrent } from "../presence/presence.ts";
import { usePresence } from "../presence/shared_presence.ts";
import { useNow, useThrottled } from "../page/timing.ts";
import { useTimeStyle } from "../page/time_text.ts";
import { OnlineTableRows, RowClock } from "./OnlineTableRows.tsx";
import { hasModifier, noteInAddress, numberedPages, Pager } from "../page/links.tsx";
import { ChoiceLinks } from "../history/HistoryTable.tsx";
import { numberText } from "@/shared/text.ts";
import { ConnectionStatus } from "../presence/ConnectionStatus.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The card of the online table. */
function OnlineTableCard(
  { aside, messagesPath, children }: {
    aside?: ComponentChildren;
    /** Where the reader can message everyone; absent where they cannot. */
    messagesPath?: string;
    children: ComponentChildren;
  },
) {
  return (
    <Card
      id="online-table"
      title={text`Who is online`}
      aside={(aside || messagesPath) && (
        <div class="row online-table-aside">
          {aside}
          {messagesPath && <a href={messagesPath}>{text`Message everyone`}</a>}
        </div>
      )}
    >
      {children}
    </Card>
  );
}

/** The line below the online table: how many people are listed, and whether the list is complete. */
function OnlineTableFoot({ hits, total, isSearched, problem, onRetry }: {
  hits: number;
  total: number;
  /** Whether not everyone is listed. */
  isSearched: boolean;
  /** Why the list could not be loaded, as a sentence; empty when it was, or is being loaded. */
  problem: string;
  /** Requests the list now; absent where that does not help. */
  onRetry?: () => void;
}) {
  return (
    <div class="row online-table-foot">
      <p class="soft">{hitsText(hits, total, isSearched)}</p>
      {problem && (
        <p class="notice notice-warning online-table-problem" role="status">
          {problem} {onRetry && (
            <>
              {text`Retrying…`}{" "}
              <button class="button button-quiet" type="button" onClick={onRetry}>
                {text`Retry now`}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** The search of the online table; without script, a form that reloads the page. */
function OnlineTableSearch({ formId, settings, ...filtered }: FiltersProps & { formId: string }) {
  const { query, onQuery } = filtered;
  const { search, sort, only, page } = query;
  const channel = new URLSearchParams(settings.channelQuery).get("channel");
  return (
    <form
      id={formId}
      class="search"
      role="search"
      method="get"
      action={href("/admin/online#online-table")}
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="visually-hidden" for="online-table-search">{text`Search by name or ID`}</label>
      <input
        id="online-table-search"
        type="search"
        name="q"
        value={search}
        maxLength={maxSearchLength}
        placeholder={text`Search`}
        autoComplete="off"
        onInput={({ currentTarget }) => onQuery({ ...query, search: currentTarget.value })}
      />
      <Filters settings={settings} {...filtered} />
      {only && <input type="hidden" name="only" value={only} />}
      {page && <input type="hidden" name="page" value={page} />}
      <input type="hidden" name="sort" value={sortName(sort)} />
      {channel && <input type="hidden" name="channel" value={channel} />}
      <button class="button button-quiet without-script" type="submit">{text`Search`}</button>
    </form>
  );
}

interface FiltersProps {
  settings: ClientSettings;
  query: OnlineTableQuery;
  /** How many people there are, and how many each filter lists. */
  total: number;
  counts: FilterCounts;
  onQuery: (query: OnlineTableQuery) => void;
}

/** Everyone, or those of whom something is true, each with its number; nothing where there is nothing to choose. */
function Filters({ counts, query, settings, total, onQuery }: FiltersProps) {
  const only: string = query.only ?? "";
  const options = Object.entries(onlineTableFilters)
    .map((
      [name, { label }],
    ): [string, string, number] => [name, longText(label), counts[name as OnlineTableFilter] ?? 0])
    .filter(([name, , count]) => count > 0 || name === only);
  if (options.length === 0) return null;
  return (
    <ChoiceLinks
      label={text`Show`}
      options={[["", text`All`, total] as const, ...options]
        .map(([name, label, count]) => [name, `${label} ${numberText(count)}`])}
      chosen={only}
      addressOf={(name) => pathOf({ ...query, only: filterOf(name) }, 1, settings)}
      onChoose={(name) => onQuery({ ...query, only: filterOf(name) })}
    />
  );
}

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
  /** Where the reader can message everyone; absent where they cannot. */
  messagesPath?: string;
}

/** Everyone who is online, by name. */
export function OnlineTable({ settings, viewerId, messagesPath, first }: Props) {
  const connection = usePresence(settings);
  const online = useOnline(settings);
  const presence = shownPresence(settings, connection, online);
  const [query, chooseQuery] = useState<OnlineTableQuery>(first.query);
  const setQuery = (query: OnlineTableQuery) => {
    chooseQuery(query);
    const { search: q, only = "", page = "", sort } = query;
    noteInAddress({ q, only, page, sort: sortName(sort) });
  };
  usePageLinks((page) => setQuery({ ...query, page }));
  const clock = useNow(tickMs);
  const { status, asOf } = onlineTableStatus(presence, online, clock ?? first.at);
  const isLive = isCurrent(status);

  const [rows, onView] = useLargeRows(settings, online, query);
  // The rows of a query come a moment after it, where the server has the list.
  const shownQuery = rows?.query ?? query;
  const byId = currentSnapshot(presence, online)?.byId;
  const { members } = presence;
  const people = useMemo(() => {
    if (rows) return rows.people;
    if (byId) return rowsOf(byId, query, online.state);
    const present = first.people.filter(({ id }) => members?.has(id) ?? true);
    return query === first.query ? present : onlineTableOf(present, query);
  }, [rows, byId, byId ? online.state : members, query]);
  const { summary } = online;
  // The list of a large channel has no pages.
  useEffect(() => {
    if (summary && query.page) setQuery({ ...query, page: undefined });
  }, [summary, query]);
  const counts = useMemo(() => {
    if (summary) return { active: summary.active ?? 0, guests: summary.guests };
    return byId ? filterCounts(byId.values()) : first.counts ?? {};
  }, [summary, byId]);
  const isListed = rows !== null || byId !== undefined;
  const isWhole = isListed || query !== first.query;
  const total = online.summary?.users ?? byId?.size ?? members?.size ?? first.total;
  const isSearched = Boolean(shownQuery.search.trim() || shownQuery.only || shownQuery.page);
  const hits = isWhole ? people.length : isSearched ? first.hits : total;
  const isLoading = isListed ? !isSearched && total > 0 : first.isLate === true;
  // Before the list is there, the number of matches is not known.
  const sought = isListed ? shownQuery.search + (shownQuery.page ?? "") : "";
  const announced = useAnnouncement(sought, hitsText(hits, total, true));
  const time = isLive && status !== "stale" ? clock : asOf;
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
      order={`${
        sortName(shownQuery.sort)
      } ${shownQuery.only} ${shownQuery.page} ${shownQuery.search}`}
      onView={onView}
      addressOf={summary ? undefined : (page) => pathOf({ ...query, page }, 1, settings)}
      formId={formId}
      onSort={(column) => setQuery({ ...query, sort: sortAfter(query.sort, column) })}
      viewerId={viewerId}
      now={now}
      style={style}
    />
  ), [people, hits, query, now, style]);

  return (
    <OnlineTableCard
      messagesPath={messagesPath}
      // What is true of the number, too, is said there.
      aside={!isLive && status !== presence.status && status !== "connecting" && (
        <ConnectionStatus presence={{ status, asOf }} serverTime={null} />
      )}
    >
      <OnlineTableSearch
        formId={formId}
        settings={settings}
        query={query}
        total={total}
        counts={counts}
        onQuery={setQuery}
      />
      {query.page && (
        <nav class="choices" aria-label={text`Page`}>
          <a
            href={href(pathOf({ ...query, page: undefined }, 1, settings))}
            data-page=""
            aria-current
            title={text`Show all pages`}
          >
            {`${query.page} ${numberText(hits)} ×`}
          </a>
        </nav>
      )}
      <div class="online-table-list" data-status={status}>
        <RowClock.Provider value={second}>{table}</RowClock.Provider>
        {people.length === 0 && <NoOneFound query={shownQuery} isLoading={isLoading} />}
      </div>
      <OnlineTableFoot
        hits={hits}
        total={total}
        isSearched={isSearched}
        problem={online.problem === presence.reason ? "" : online.problem}
        onRetry={online.state === "asking" ? () => onlineFeed(settings).hurry() : undefined}
      />
      {!isWhole && (
        <div class="without-script">
          <Pager
            label={text`Pages of the list`}
            {...numberedPages(first, (part) => pathOf(query, part, settings))}
          />
        </div>
      )}
      <p class="visually-hidden" aria-live="polite">{announced}</p>
    </OnlineTableCard>
  );
}

/**
 * Calls back when a link is clicked to the people on a page, here or among the top pages, or one to all people,
 * which has an empty page.
 */
function usePageLinks(choose: (page: string) => void): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLElement>("[data-page]");
      if (!link || hasModifier(event)) return;
      event.preventDefault();
      latest.current(link.dataset.page!);
      document.getElementById("online-table-search")!.scrollIntoView({ block: "nearest" });
    };
    addEventListener("click", follow);
    return () => removeEventListener("click", follow);
  }, []);
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
  { search, sort, only, page }: OnlineTableQuery,
  part: number,
  { channelQuery = "" }: ClientSettings,
): string {
  const parameters = {
    q: search,
    sort: sortName(sort),
    only: only ?? "",
    page: page ?? "",
    part: String(part),
  };
  return `/admin/online?${new URLSearchParams(parameters)}&${channelQuery}#online-table`;
}

function NoOneFound({ query: { only, page, search }, isLoading }: {
  query: OnlineTableQuery;
  isLoading: boolean;
}) {
  return (
    <p class="empty">
      {isLoading
        ? text`Loading the list…`
        : only || page
        ? text`No one matches this filter right now.`
        : search.trim()
        ? text`No one online matches “${search.trim()}”.`
        : text`No one is online right now.`}
    </p>
  );
}

/** Why there is no table with an external Pusher server. The route passes it, so that no script has the text. */
export function unavailableText(): string {
  return longText(
    "Not available. Your pages connect to an external Pusher server, which doesn't share its ",
    "member list with Rollcall.",
  );
}

/** What replaces the online table when the pages connect to an external Pusher server. */
export function OnlineTableUnavailable({ reason }: { reason: string | undefined }) {
  return (
    <OnlineTableCard>
      <p class="soft">{reason}</p>
    </OnlineTableCard>
  );
}
