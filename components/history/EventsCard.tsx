import type { HistoryEvent } from "@/server/history/marks.ts";
import { href } from "@/shared/address.ts";
import type { HistoryReport, MeasuredHistory } from "@/shared/history.ts";
import { numberText } from "@/shared/text.ts";
import { conditionText } from "../alert/alert_text.ts";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Card, CsrfField, ZoneTime } from "../page/elements.tsx";
import { Button } from "../page/fields.tsx";
import { durationText } from "../page/time_text.ts";
import type { NumberedEvent } from "./numbered_events.ts";
import { isJustBegun } from "./history_rows.ts";
import { captionText, lineText } from "./history_text.ts";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";

/** The confirmation of removing a mark. */
export function removeMarkConfirmation({ text: mark }: { text: string }): Confirmation {
  return {
    question: text`Remove this mark?`,
    text: text`“${mark}” disappears from the history. This can't be undone.`,
    action: text`Remove mark`,
    danger: true,
  };
}

/** What an event is, as a sentence. */
export function eventText(event: HistoryEvent): string {
  switch (event.kind) {
    case "mark":
      return event.text;
    case "alert": {
      const { direction, onlyActive, phase, threshold, users } = event;
      const condition = conditionText({ users: threshold, direction, onlyActive });
      return phase === "active"
        ? text`Alert (${condition}): ${numberText(users)}`
        : onlyActive
        ? text`Back to normal: ${numberText(users)} active`
        : text`Back to normal: ${numberText(users)} online`;
    }
    case "gap":
      return text`Not recorded for ${durationText(event.missingMs)}`;
  }
}

/** Events of one interval that are told. */
const mostTold = 3;

/**
 * A history as pages show it: with its words, which no script has to have, and with what happened.
 *
 * @param events the newest first
 */
export function shownHistory(
  { measured, events }: { measured: MeasuredHistory; events: readonly HistoryEvent[] },
): HistoryReport {
  const marks = marksOf(measured, events);
  const { newRecordAt = 0, record } = measured.context;
  const isNew = record && newRecordAt >= measured.midnight;
  return {
    ...measured,
    ...isNew && { newRecord: numberText(record.users) },
    isJustBegun: isJustBegun(measured),
    title: lineText(measured),
    caption: captionText(measured),
    ...Object.keys(marks).length > 0 && { marks },
  };
}

/**
 * What happened, by the index of the point in whose interval it did.
 *
 * @param events the newest first
 */
export function marksOf(
  { intervalMs, points, startsAt }: MeasuredHistory,
  events: readonly HistoryEvent[],
): Record<number, string> {
  const marks: Record<number, string> = {};
  const indexOf = ({ at }: HistoryEvent) => Math.floor((at - startsAt) / intervalMs);
  for (const [index, some] of Map.groupBy(events, indexOf)) {
    // A clock ahead can have made one that is yet to come.
    if (index >= points.length) continue;
    const texts = some.slice(0, mostTold).map(eventText);
    const more = some.length - texts.length;
    const told = texts.join("; ");
    marks[index] = more > 0 ? text`${told} and ${numberText(more)} more` : told;
  }
  return marks;
}

/** The number that the line of an event has in the chart; nothing for one that is not in it. */
function LineNumber({ number }: { number: number | undefined }) {
  if (number === undefined) return null;
  return (
    <>
      <span class="soft" aria-hidden="true">{`${numberText(number)}. `}</span>
      <span class="visually-hidden">{text`Line ${number}:`}</span>
    </>
  );
}

/** Marks, alerts and gaps, newest first. */
export function EventsCard({ events, numbered, timeZone, csrfToken, mayManage }: {
  events: HistoryEvent[];
  /** Those that the chart has lines for. */
  numbered: readonly NumberedEvent[];
  timeZone: string;
  csrfToken: string;
  /** Whether the reader may remove marks, and see how they are added. */
  mayManage: boolean;
}) {
  const numberOf = new Map(numbered.map(({ event, number }) => [event, number]));
  return (
    <Card id="events" title={text`Marks, alerts and gaps`}>
      {events.length === 0 ? <p class="empty">{text`Nothing happened in this time.`}</p> : (
        <ul
          class="scroll list rows timeline"
          aria-label={text`Events`}
          tabIndex={0}
        >
          {events.map((event) => (
            <li key={`${event.kind} ${event.at}`}>
              <ZoneTime at={event.at} form="dateAndMinute" timeZone={timeZone} />
              <span class="anywhere">
                <LineNumber number={numberOf.get(event)} />
                <bdi>{eventText(event)}</bdi>
                {event.kind === "mark" && (
                  <span class="soft">{`, ${text`by ${event.createdBy}`}`}</span>
                )}
              </span>
              {event.kind === "mark" && mayManage && (
                <form
                  method="post"
                  action={href(`/admin/activity/marks/${event.id}/remove`)}
                  {...confirmAttributes(removeMarkConfirmation(event))}
                >
                  <CsrfField csrfToken={csrfToken} />
                  <Button kind="quiet">
                    {text`Remove`} <span class="visually-hidden">{event.text}</span>
                  </Button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayManage && (
        <p class="note">
          {richText`Have your deploys add marks with ${(
            <a href={href("/admin/settings/api#api-v-marks")}>POST /api/v1/marks</a>
          )}.`}
        </p>
      )}
    </Card>
  );
}
