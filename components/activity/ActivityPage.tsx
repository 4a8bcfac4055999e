import { kindTexts } from "./ticker.ts";
import { ChangeText } from "./Ticker.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import type { CountedName } from "@/shared/counted.ts";
import { Card, Time } from "../page/elements.tsx";
import type { Activity } from "@/shared/online.ts";
import type { ComponentChildren } from "preact";
import { Button, Notice } from "../page/fields.tsx";
import { Link, logPages, Pager } from "../page/links.tsx";
import type { ActivityQuery } from "@/server/activity/activity_query.ts";
import { href } from "@/shared/address.ts";
import { countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** Joins and leaves. Each name links to the person's page, if there is one. */
export function ActivityTable({ entries, source, channels, channelOf = [] }: {
  entries: Activity[];
  /** The counted channels, where there are several. */
  channels?: CountedName[];
  /** The key of the channel of each entry. */
  channelOf?: string[];
  /** The name of your own app, where there are several. */
  source: string | undefined;
}) {
  const kinds = kindTexts(source);
  const names = new Map(channels?.map((name) => [name.key, name]));
  return (
    <table class="table activity-table">
      <thead>
        <tr>
          <th scope="col">{text`Time`}</th>
          <th scope="col">{text`Person`}</th>
          <th scope="col">{text`Type`}</th>
          {channels && <th scope="col">{text`Channel`}</th>}
          <th scope="col">{text`Event`}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td>
              <Time at={entry.at} after={entries[index - 1]?.at ?? null} />
            </td>
            <th scope="row">
              {entry.isElsewhere
                ? <span dir="auto">{entry.name}</span>
                : <PersonLink id={entry.id} name={entry.name} />}
            </th>
            <td>
              {entry.isElsewhere ? names.get(channelOf[index])?.app : kinds[entry.kind]}
            </td>
            {channels && (
              <td>
                <span dir="ltr">{names.get(channelOf[index])?.channel ?? channelOf[index]}</span>
              </td>
            )}
            <td>
              <ChangeText entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * The form that filters a log. On a phone, where it would take the first screen, it is folded unless a
 * filter is set.
 */
export function LogFilter({ path, isFiltered, children }: {
  /** The path of the log without a filter. */
  path: string;
  /** Whether a filter is set. */
  isFiltered: boolean;
  /** The fields. */
  children: ComponentChildren;
}) {
  return (
    <>
      <details class="log-filter-fold" open={isFiltered}>
        <summary class="button button-quiet">{text`Filters`}</summary>
      </details>
      <form class="row log-filter" role="search" aria-label={text`Filter the log`}>
        {children}
        <div class="row">
          <Button>{text`Filter`}</Button>
          {isFiltered && <Link class="button button-quiet" path={path}>{text`Clear`}</Link>}
        </div>
      </form>
    </>
  );
}

/** The most accounts that the field suggests; others can be typed. */
const maxSuggestions = 200;

/** The form that filters the activity log. */
export function ActivityFilterForm(
  { query, choices, source, channels, isFiltered, children }: {
    query: ActivityQuery;
    /** The accounts that the field suggests. */
    choices: { name: string; email: string }[];
    /** The name of your own app, where there are several. */
    source: string | undefined;
    /** The counted channels, where there are several. */
    channels?: CountedName[];
    /** Whether a filter is set. */
    isFiltered: boolean;
    /** The fields of the time range. */
    children: ComponentChildren;
  },
) {
  return (
    <LogFilter path="/admin/activity" isFiltered={isFiltered}>
      <div class="field">
        <label for="activity-who">{text`Person`}</label>
        <input
          id="activity-who"
          name="who"
          type="search"
          list="activity-choices"
          value={query.who}
          maxLength={254}
          placeholder={text`Name, email, or ID`}
          autoComplete="off"
        />
        <datalist id="activity-choices">
          {choices.slice(0, maxSuggestions).map(({ name, email }) => (
            <option key={email} value={email}>{name}</option>
          ))}
        </datalist>
      </div>
      <div class="field">
        <label for="activity-kind">{text`Type`}</label>
        <select id="activity-kind" name="kind">
          <option value="">{text`All`}</option>
          {Object.entries(kindTexts(source)).map(([kind, label]) => (
            <option key={kind} value={kind} selected={kind === query.kind}>{label}</option>
          ))}
        </select>
      </div>
      {channels && (
        <div class="field">
          <label for="activity-channel">{text`Channel`}</label>
          <select id="activity-channel" name="channel">
            <option value="">{text`All`}</option>
            {channels.map(({ key, channel, app }) => (
              <option key={key} value={key} selected={key === query.channel}>
                {app === undefined ? channel : `${app} ${channel}`}
              </option>
            ))}
          </select>
        </div>
      )}
      {children}
    </LogFilter>
  );
}

const logs = [
  { path: "/admin/activity", label: keyText("People") },
  { path: "/admin/activity/numbers", label: keyText("Numbers") },
  { path: "/admin/activity/admins", label: keyText("Admins") },
];

/** Links between the activity log, the numbers over time, and the admin log for who may read it. */
export function ActivityNavigation({ path, mayManage }: { path: string; mayManage: boolean }) {
  const visible = logs.filter(({ path }) => mayManage || path !== "/admin/activity/admins");
  return (
    <nav class="choices" aria-label={text`Logs`}>
      {visible.map(({ path: to, label }) => (
        <Link key={to} path={to} current={path === to ? "page" : "false"}>{longText(label)}</Link>
      ))}
    </nav>
  );
}

/** A page of the activity log. */
interface ActivityPageProps {
  path: string;
  query: ActivityQuery;
  isFiltered: boolean;
  /** The accounts that the filter suggests. */
  choices: { name: string; email: string }[];
  /** The name of your own app, where there are several. */
  source: string | undefined;
  /** Whose entries are shown; empty when the filter says it. */
  note: string;
  /** What is wrong with the filter; empty when nothing is. */
  problem: string;
  entries: Activity[];
  /** The counted channels, where there are several. */
  channels: CountedName[] | undefined;
  /** The key of the channel of each entry. */
  channelOf: string[];
  /** How many days entries are kept; 0 keeps them forever. */
  days: number;
  /** The address of the next page; null on the last one. */
  older: string | null;
  /** The address of the first page; null on that page. */
  newest: string | null;
  /** Whether the reader may read the admin log, and export. */
  mayManage: boolean;
  /** The path of the export. */
  csv: string;
  /** The fields of the time range: an island, which follows the reader's zone. */
  timeRange: ComponentChildren;
}

/** The activity log: joins and leaves, newest first, with a filter and an export. */
export function ActivityPage(props: ActivityPageProps) {
  const { path, query, isFiltered, choices, source, note, problem, entries } = props;
  const { channels, channelOf, days, csv, mayManage, timeRange } = props;
  return (
    <>
      <ActivityNavigation path={path} mayManage={mayManage} />
      <Card
        id="activity"
        title={text`Activity`}
        level={1}
        aside={mayManage && !problem && entries.length > 0 && (
          <a class="button button-quiet" href={href(csv)} download>{text`Download CSV`}</a>
        )}
      >
        <ActivityFilterForm {...{ query, choices, source, channels, isFiltered }}>
          {timeRange}
        </ActivityFilterForm>
        {problem && <Notice tone="error">{problem}</Notice>}
        {note && <p class="soft">{note}</p>}
        {!problem && (entries.length > 0
          ? <ActivityTable {...{ entries, source, channels, channelOf }} />
          : (
            <p class="empty">{isFiltered ? text`No matching entries.` : text`No activity yet.`}</p>
          ))}
        <Pager {...logPages(props)} />
        <p class="note">
          {days === 0
            ? text`Entries are kept indefinitely.`
            : text`Entries are kept for ${countText(days, "day")}.`}{" "}
          {text`Quick reconnects, such as page changes, aren't logged.`}
        </p>
      </Card>
    </>
  );
}
