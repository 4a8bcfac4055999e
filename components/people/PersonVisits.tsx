import type { ComponentChildren } from "preact";
import { Card } from "../page/elements.tsx";
import { isSameDay, type TimeStyle, timeText } from "../page/time_text.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";
import type { PersonSnapshot, PersonVisits as Visits, Visit } from "@/shared/person.ts";
import { countText, numberText } from "@/shared/text.ts";
import { useEffect } from "preact/hooks";
import { reportedIn, seenEntries, type TimelineEntry, timelineOf } from "./timeline.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** A length of time in its two largest units: `42 min`, `3 hr 5 min`, `2 days 4 hr`. In milliseconds. */
function lengthText(length: number): string {
  if (length < minuteMs) return text`under a minute`;
  const minutes = Math.floor(length % hourMs / minuteMs);
  if (length < hourMs) return text`${minutes} min`;
  const hours = Math.floor(length % dayMs / hourMs);
  if (length < dayMs) return minutes ? text`${hours} hr ${minutes} min` : text`${hours} hr`;
  const days = countText(Math.floor(length / dayMs), "day");
  return hours ? `${days} ${text`${hours} hr`}` : days;
}

/** How often and for how long a person was online; nothing without a visit. */
export function PersonVisits({ snapshot: { at, visits } }: { snapshot: PersonSnapshot }) {
  if (!visits?.count) return null;
  const { count, medianMs, since, totalMs } = visits;
  return (
    <Card
      id="visits"
      title={text`Visits`}
      aside={<span class="soft">{lastDays(at, since)}</span>}
    >
      <dl class="facts">
        <Known name={text`Visits`}>{numberText(count)}</Known>
        <Known name={text`Time online`}>{lengthText(totalMs)}</Known>
        <Known name={text`Median visit`}>{lengthText(medianMs ?? 0)}</Known>
      </dl>
    </Card>
  );
}

function lastDays(at: number, since: number): string {
  return text`last ${countText(Math.round((at - since) / dayMs), "day")}`;
}

/** The last 24 hours as a strip, filled while the person was online. */
function LastDay({ at, visits: { ofLastDay } }: { at: number; visits: Visits }) {
  const online = ofLastDay.reduce((sum, { from, until }) => sum + until - from, 0);
  const [times, length] = [countText(ofLastDay.length, "time"), lengthText(online)];
  const label = ofLastDay.length === 0
    ? text`Not online in the last 24 hours`
    : text`Online ${times} in the last 24 hours, for ${length} in all`;
  return (
    <figure class="last-day">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={label}>
        {ofLastDay.map((visit) => (
          <rect key={visit.from} {...placeOf(visit, at)} y="0" height="10" />
        ))}
      </svg>
      <figcaption class="row between" aria-hidden="true">
        <span>{text`24 hours ago`}</span>
        <span>{text`now`}</span>
      </figcaption>
    </figure>
  );
}

/** The least width of a visit, in percent of the day, so that the shortest one is seen. */
const leastWidth = 0.5;

function placeOf({ from, until }: Visit, at: number): { x: number; width: number } {
  const width = Math.max((until - from) / dayMs * 100, leastWidth);
  return { x: Math.min(100 - (at - from) / dayMs * 100, 100 - width), width };
}

/** The last day of a person as a strip and line by line, with links to all activity and to the admin actions. */
export function PersonActivity({ id, snapshot, style, mayManage }: {
  id: string;
  snapshot: PersonSnapshot;
  style: TimeStyle;
  mayManage: boolean;
}) {
  const { at: now, visits } = snapshot;
  const { entries, earlier } = timelineOf(snapshot, seenEntries.of(id));
  useEffect(() => seenEntries.add(id, reportedIn(snapshot)), [snapshot]);
  const query = encodeURIComponent(id);
  return (
    <Card id="activity" title={text`Last 24 hours`}>
      {visits && <LastDay at={now} visits={visits} />}
      {entries.length === 0
        ? <p class="soft">{text`Nothing in the last 24 hours.`}</p>
        : <TimelineEntries entries={entries} now={now} style={style} />}
      {earlier.length > 0 && (
        <>
          <h3>{text`Before that`}</h3>
          <TimelineEntries entries={earlier} now={now} style={style} />
        </>
      )}
      <p class="soft">
        {text`Joins and leaves are stored. Pages and idle times are not: you see the current ones, and those reported while you had this page open.`}
      </p>
      <p>
        <a href={href(`/admin/activity?who=${query}`)}>{text`All activity`}</a>
        {mayManage && (
          <>
            {" · "}
            <a href={href(`/admin/activity/admins?target=${query}`)}>{text`Admin actions`}</a>
          </>
        )}
      </p>
    </Card>
  );
}

/** What happened to a person, a line each. */
function TimelineEntries({ entries, now, style }: {
  entries: readonly TimelineEntry[];
  now: number;
  style: TimeStyle;
}) {
  return (
    <ol class="list timeline">
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.kind}`}>
          <PersonTime at={entry.at} now={now} style={style} />
          <span class="anywhere">
            <EntryText entry={entry} /> {entry.note && <span class="soft">{entry.note}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function EntryText({ entry: { kind, text: words } }: { entry: TimelineEntry }) {
  if (kind === "page") return <bdi dir="ltr">{words}</bdi>;
  return words
    ? <span class={`change change-${kind}`}>{words}</span>
    : (
      <span class="activity-state" data-state={kind}>
        {kind === "idle" ? text`Idle` : text`Active again`}
      </span>
    );
}

/** A time on a person's page: without the date where it is of the day on which it is read. */
export function PersonTime({ at, now, style }: {
  /** In milliseconds since 1970. */
  at: number;
  /** When it is read. */
  now: number;
  style: TimeStyle;
}) {
  return (
    <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
      {timeText(at, isSameDay(at, now, style) ? "clock" : "dateAndMinute", style)}
    </time>
  );
}

/** A fact; nothing where it is not known. As `Fact`, which would make a script of its own for the live view. */
export function Known({ name, children }: { name: string; children: ComponentChildren }) {
  return children
    ? (
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    )
    : null;
}
