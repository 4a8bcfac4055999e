import "@/components/page/every_page.ts";
import { useMemo, useRef, useState } from "react";
import { frozenRows, usePolled } from "@/components/channels/polling.ts";
import { AppsTable, ChannelsTable } from "@/components/channels/ChannelsTable.tsx";
import { ChannelFilters } from "@/components/channels/ChannelFilters.tsx";
import { Card } from "@/components/page/elements.tsx";
import { hasModifier, numberedPages, Pager } from "@/components/page/links.tsx";
import { ConnectionStatus } from "@/components/presence/ConnectionStatus.tsx";
import { href } from "@/shared/address.ts";
import {
  type ChannelList,
  channelListPath,
  channelPath,
  type ChannelQuery,
  channelQueryText,
  type ChannelRow,
  readChannelQuery,
} from "@/shared/channel_list.ts";
import { text } from "@/shared/language.ts";
import { countText, numberText } from "@/shared/text.ts";

/** The id of the form of the filters. */
const formId = "channel-filters";

/** All apps and channels, live: a page of them at a time, as the reader searches and sorts. */
export default function Channels({ first }: { first: ChannelList }) {
  const [query, setQuery] = useState(first.query);
  const { value: list, ...polled } = usePolled(pathOf(query), {
    path: pathOf(first.query),
    value: first,
  });
  const isAnswer = polled.path === pathOf(query);
  const { box, rows } = useFrozenRows(list, polled.path);
  const change = (changed: Partial<ChannelQuery>) => {
    const next = { ...query, page: 1, ...changed };
    history.replaceState(history.state, "", href(channelListPath(next)));
    setQuery(next);
  };
  const severalApps = list.apps.length > 1;
  // Once for each search, and not whenever channels come and go.
  const announced = useMemo(() => foundText(list), [polled.path]);
  return (
    <>
      <header class="row between">
        <h1>{text`Channels`}</h1>
        <ConnectionStatus presence={polled} serverTime={null} />
      </header>
      <Card id="apps" title={text`Apps`}>
        <AppsTable apps={list.apps} />
      </Card>
      <Card id="channels" title={text`Occupied channels`}>
        <ChannelFilters formId={formId} query={query} apps={list.apps} onChange={change} />
        <div class="channels-list" data-status={polled.status} aria-busy={!isAnswer} ref={box}>
          <ChannelsTable
            rows={rows}
            sort={query.sort}
            formId={formId}
            severalApps={severalApps}
            onSort={(sort) => change({ sort })}
          />
          {list.hits === 0 && <NoneFound list={list} />}
        </div>
        <div class="row between channels-foot">
          <p class="soft">{foundText(list)}</p>
          <p class="visually-hidden" aria-live="polite">{announced}</p>
          <div onClick={(event) => followed(event, change)}>
            <Pager
              label={text`Pages of channels`}
              {...numberedPages(list, (page) => channelListPath({ ...list.query, page }))}
            />
          </div>
        </div>
      </Card>
    </>
  );
}

/** The path of the JSON of a list. */
function pathOf(query: ChannelQuery): string {
  return `/admin/channels/list?${channelQueryText(query)}`;
}

function foundText({ hits, total }: ChannelList): string {
  if (hits === total) return countText(total, "channel");
  return total === 1
    ? text`${numberText(hits)} of ${numberText(total)} channel`
    : text`${numberText(hits)} of ${numberText(total)} channels`;
}

/** What the reader points at, or has the focus on. */
const pointedAt = "tbody:hover, tbody :focus-visible";

/** Rows that stay in place while the reader points at them, or has the focus in them. */
function useFrozenRows(list: ChannelList, path: string) {
  const box = useRef<HTMLDivElement>(null);
  const rendered = useRef<{ path: string; rows: readonly ChannelRow[] }>({ path, rows: list.rows });
  const isFrozen = path === rendered.current.path && Boolean(box.current?.querySelector(pointedAt));
  const rows = isFrozen
    ? frozenRows(rendered.current.rows, list.rows, ({ appId, name }) => `${appId} ${name}`)
    : list.rows;
  rendered.current = { path, rows };
  return { box, rows };
}

/** Follows a link of the pager without a reload. */
function followed(event: MouseEvent, change: (changed: Partial<ChannelQuery>) => void): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || hasModifier(event)) return;
  event.preventDefault();
  change({ page: readChannelQuery(new URL(link.href).searchParams).page });
}

/** That no channel is found, with a way to the one whose whole name was typed, which may be empty. */
function NoneFound({ list: { apps, query: { app, search }, total } }: { list: ChannelList }) {
  const found = apps.length === 1 ? apps[0] : apps.find(({ id }) => id === app);
  return (
    <p class="empty">
      {search === ""
        ? total === 0 ? text`No channel has a subscriber right now.` : text`No channel matches.`
        : text`No occupied channel matches “${search}”.`}
      {search !== "" && found && found.connections !== null && (
        <>
          {" "}
          <a href={href(channelPath({ appId: found.id, name: search }))}>{text`Open ${search}`}</a>
        </>
      )}
    </p>
  );
}
