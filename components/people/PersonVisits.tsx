import type { ComponentChildren } from "preact";
import { Card } from "../page/elements.tsx";
import { isSameDay, type TimeStyle, timeText } from "../page/time_text.ts";
import { href } from "@/shared/address.ts";
import type { PersonSnapshot, PersonVisits as Visits, Visit } from "@/shared/person.ts";
import { countText, numberText } from "@/shared/text.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** A length of time in its two largest units: `42 min`, `3 hr 5 min`, `2 days 4 hr`. In milliseconds. */
function lengthText(length: number): string {
  if (length < minuteMs) return "under a minute";
  const minutes = Math.floor(length % hourMs / minuteMs);
  if (length < hourMs) return `${minutes} min`;
  const hours = Math.floor(length % dayMs / hourMs);
  if (length < dayMs) return minutes ? `${hours} hr ${minutes} min` : `${hours} hr`;
  const days = countText(Math.floor(length / dayMs), "day");
  return hours ? `${days} ${hours} hr` : days;
}

/** How often and for how long a person was online, and when in the last 24 hours; nothing without a visit. */
export function PersonVisits({ snapshot: { at, visits } }: { snapshot: PersonSnapshot }) {
  if (!visits?.count) return null;
  const { count, medianMs, since, totalMs } = visits;
  return (
    <Card
      id="visits"
      title="Visits"
      aside={<span class="soft">last {countText(Math.round((at - since) / dayMs), "day")}</span>}
    >
      <dl class="facts">
        <Known name="Visits">{numberText(count)}</Known>
        <Known name="Time online">{lengthText(totalMs)}</Known>
        <Known name="Median visit">{lengthText(medianMs ?? 0)}</Known>
      </dl>
      <LastDay at={at} visits={visits} />
    </Card>
  );
}

/** The last 24 hours as a strip, filled while the person was online. */
function LastDay({ at, visits: { ofLastDay } }: { at: number; visits: Visits }) {
  const online = ofLastDay.reduce((sum, { from, until }) => sum + until - from, 0);
  const text = ofLastDay.length === 0
    ? "Not online in the last 24 hours"
    : `Online ${countText(ofLastDay.length, "time")} in the last 24 hours, for ${
      lengthText(online)
    } in all`;
  return (
    <figure class="last-day">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={text}>
        {ofLastDay.map((visit) => (
          <rect key={visit.from} {...placeOf(visit, at)} y="0" height="10" />
        ))}
      </svg>
      <figcaption class="soft" aria-hidden="true">
        The last 24 hours
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

/** The recent activity of a person, with links to all of it and to the admin actions. */
export function PersonActivity({ id, snapshot: { activity, at: now }, style, mayManage }: {
  id: string;
  snapshot: PersonSnapshot;
  style: TimeStyle;
  mayManage: boolean;
}) {
  const query = encodeURIComponent(id);
  return (
    <Card id="activity" title="Recent activity">
      {activity.length === 0 ? <p class="soft">No activity recorded.</p> : (
        <ol class="list">
          {activity.map((entry) => (
            <li class="row" key={`${entry.at} ${entry.change}`}>
              <PersonTime at={entry.at} now={now} style={style} />
              <span>
                <span class={`change change-${entry.change}`}>{entry.text}</span>{" "}
                {entry.reason && <span class="soft">{entry.reason}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={href(`/admin/activity?who=${query}`)}>All activity</a>
        {mayManage && (
          <>
            {" · "}
            <a href={href(`/admin/activity/admins?target=${query}`)}>Admin actions</a>
          </>
        )}
      </p>
    </Card>
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
