import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import type { ActivityQuery } from "@/server/activity/activity_query.ts";
import type { CountedName } from "@/shared/counted.ts";
import { countText } from "@/shared/number_text.ts";
import { ActivityTable } from "./ActivityTable.tsx";
import { Card } from "../page/Card.tsx";
import { ActivityFilterForm } from "./ActivityFilterForm.tsx";
import { ActivityNavigation } from "./ActivityNavigation.tsx";
import { logPages, Pager } from "../page/Pager.tsx";
import { Notice } from "../page/Notice.tsx";
import type { Activity } from "@/shared/online.ts";

/** A page of the activity log. */
export interface ActivityPageProps {
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
  /** The path of the export. */
  csv: string;
  /** The fields of the time range: an island, which follows the reader's zone. */
  timeRange: ComponentChildren;
}

/** The activity log: joins and leaves, newest first, with a filter and an export. */
export function ActivityPage(props: ActivityPageProps) {
  const { path, query, isFiltered, choices, source, note, problem, entries } = props;
  const { channels, channelOf, days, csv, timeRange } = props;
  return (
    <>
      <ActivityNavigation path={path} />
      <Card
        id="activity"
        title="Activity"
        level={1}
        aside={!problem && entries.length > 0 && (
          <a class="button button-quiet" href={href(csv)} download>Download CSV</a>
        )}
      >
        <ActivityFilterForm {...{ query, choices, source, channels, isFiltered }}>
          {timeRange}
        </ActivityFilterForm>
        {problem && <Notice tone="error">{problem}</Notice>}
        {note && <p class="soft">{note}</p>}
        {!problem && (entries.length > 0
          ? <ActivityTable {...{ entries, source, channels, channelOf }} />
          : <p class="empty">{isFiltered ? "No matching entries." : "No activity yet."}</p>)}
        <Pager {...logPages(props)} />
        <p class="note">
          {days === 0
            ? "Entries are kept indefinitely."
            : `Entries are kept for ${countText(days, "day")}.`}{" "}
          Quick reconnects, such as page changes, aren't logged.
        </p>
      </Card>
    </>
  );
}
