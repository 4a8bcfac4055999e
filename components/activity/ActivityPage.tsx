import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import type { ActivityQuery } from "../../online/activity/activity_query.ts";
import { ActivityTable } from "./ActivityTable.tsx";
import { Card } from "../frame/Card.tsx";
import { ActivityFilterForm } from "./ActivityFilterForm.tsx";
import { LogNavigation } from "./LogNavigation.tsx";
import { LogPages } from "./LogPages.tsx";
import { Notice } from "../frame/Notice.tsx";
import type { Activity } from "../../shared/online.ts";

/** A page of the activity log. */
export interface ActivityPageProps {
  path: string;
  query: ActivityQuery;
  isFiltered: boolean;
  /** Who has an account here. */
  choices: { name: string; email: string }[];
  /** What was searched for, in words; empty when that is plain. */
  note: string;
  /** What is wrong with what was asked for; empty when nothing is. */
  problem: string;
  entries: Activity[];
  /** How long entries are kept; 0: for ever. */
  days: number;
  /** Where the entries after these are; null when there are none. */
  older: string | null;
  /** Where the newest are; null on their page. */
  newest: string | null;
  csv: string;
  /** The fields of the time: an island, as they follow the reader's zone. */
  timeRange: ComponentChildren;
}

/** Who came and went, newest first, to be filtered and to be taken away. */
export function ActivityPage(props: ActivityPageProps) {
  const { path, query, isFiltered, choices, note, problem, entries, days, csv, timeRange } = props;
  return (
    <>
      <LogNavigation path={path} />
      <Card
        id="attendance"
        title="Attendance"
        level={1}
        aside={!problem && entries.length > 0 && (
          <a class="button button-quiet" href={href(csv)} download>Download CSV</a>
        )}
      >
        <ActivityFilterForm query={query} choices={choices} isFiltered={isFiltered}>
          {timeRange}
        </ActivityFilterForm>
        {problem && <Notice tone="error">{problem}</Notice>}
        {note && <p class="soft">{note}</p>}
        {!problem && (entries.length > 0
          ? <ActivityTable entries={entries} />
          : <p class="empty">{isFiltered ? "Nothing was found." : "Nobody has come yet."}</p>)}
        <LogPages older={props.older} newest={props.newest} />
        <p class="note">
          {days === 0 ? "Everything is kept." : `Entries are kept for ${days} days.`}{" "}
          Whoever comes back within the leave grace, as at a change of page, was never away.
        </p>
      </Card>
    </>
  );
}
