import { asset } from "fresh/runtime";
import { ActivityNavigation } from "../activity/ActivityPage.tsx";
import { Card, TableHead, ZoneTime } from "../page/elements.tsx";
import { Notice } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import type { DayNumbers } from "@/server/history/daily_numbers.ts";
import type { HeatCell, HeatMap, NumbersReport } from "@/server/history/numbers_report.ts";
import { href } from "@/shared/address.ts";
import { type CountedName, onlineKey } from "@/shared/counted.ts";
import { text } from "@/shared/language.ts";
import { numberText } from "@/shared/text.ts";
import { DaysChart } from "./DaysChart.tsx";
import { EventsCard } from "./EventsCard.tsx";
import { numberedEvents } from "./numbered_events.ts";
import {
  averageText,
  dateText,
  dayColumns,
  heatText,
  lengthText,
  recordedText,
  tenthsText,
  weekdayNames,
} from "./numbers_text.ts";

interface Props {
  report: NumbersReport;
  /** The key of the channel. */
  channel: string;
  /** The counted channels, where there are several. */
  channels: CountedName[] | undefined;
  csrfToken: string;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
  /** Whether the reader may read the admin log, and remove marks. */
  mayManage: boolean;
}

const path = "/admin/activity/numbers";

/** The numbers of each day, and of the hours of a week. */
export function NumbersPage(props: Props) {
  const { report, channel, channels, csrfToken, done, mayManage } = props;
  const { days, heat, range, timeZone } = report;
  const isEmpty = days.every(({ numbers }) => numbers === null);
  const numbered = isEmpty ? [] : numberedEvents(report.events, report);
  const addressOf = (range: string, key: string) => {
    const parameters = new URLSearchParams({ range, ...key !== onlineKey && { channel: key } });
    return `${path}?${parameters}`;
  };
  const channelQuery = channel === onlineKey ? "" : `?${new URLSearchParams({ channel })}`;
  return (
    <>
      <link rel="stylesheet" href={href(asset("/numbers.css"))} />
      <ActivityNavigation path={path} mayManage={mayManage} />
      {done && <Notice tone="success">{done}</Notice>}
      <Card
        id="days"
        title={text`Numbers over time`}
        level={1}
        aside={!isEmpty && (
          <a
            class="button button-quiet"
            href={href(`${path}.csv${channelQuery}`)}
            download
          >
            {text`Download CSV`}
          </a>
        )}
      >
        <div class="row">
          <nav class="choices" aria-label={text`Range`}>
            {([["month", text`30 days`], ["year", text`12 months`]] as const).map(([one, name]) => (
              <Link
                key={one}
                path={addressOf(one, channel)}
                current={one === range ? "true" : "false"}
              >
                {name}
              </Link>
            ))}
          </nav>
          {channels && (
            <nav class="choices" aria-label={text`Channel`}>
              {channels.map(({ key, channel: name, app }) => (
                <Link
                  key={key}
                  path={addressOf(range, key)}
                  current={key === channel ? "true" : "false"}
                >
                  <span dir="ltr">{app === undefined ? name : `${app} ${name}`}</span>
                </Link>
              ))}
            </nav>
          )}
        </div>
        {isEmpty
          ? (
            <p class="empty">
              {text`The first day appears here after it has ended, shortly after midnight.`}
            </p>
          )
          : (
            <>
              <Highlights days={days.flatMap(({ numbers }) => numbers ?? [])} />
              <DaysChart report={report} events={numbered} />
              <DaysTable report={report} />
            </>
          )}
        <p class="note">
          {text`Days and times are in ${timeZone}. A visit counts on the day it ended. Days are kept for years, and hold no names or IDs.`}
        </p>
      </Card>
      <EventsCard {...{ events: report.events, numbered, timeZone, csrfToken, mayManage }} />
      <HeatCard heat={heat} />
    </>
  );
}

/** What stands out of the days. */
function Highlights({ days }: { days: DayNumbers[] }) {
  const highest = highestBy(days, ({ mostUsers }) => mostUsers);
  const busiest = highestBy(days, ({ people }) => people);
  const [userSeconds, recorded] = days.reduce(
    ([users, all], { averageHundredths, recordedSeconds }) => [
      users + (averageHundredths ?? 0) / 100 * recordedSeconds,
      all + recordedSeconds,
    ],
    [0, 0],
  );
  return (
    <dl class="facts row">
      {highest && (
        <div>
          <dt>{text`Highest peak`}</dt>
          <dd>
            {numberText(highest.mostUsers ?? 0)} <span class="soft">{dateText(highest.day)}</span>
          </dd>
        </div>
      )}
      {recorded > 0 && (
        <div>
          <dt>{text`Average online`}</dt>
          <dd>{averageText(userSeconds / recorded)}</dd>
        </div>
      )}
      {busiest && (
        <div>
          <dt>{text`Most people in a day`}</dt>
          <dd>
            {numberText(busiest.people ?? 0)} <span class="soft">{dateText(busiest.day)}</span>
          </dd>
        </div>
      )}
    </dl>
  );
}

function highestBy(
  days: DayNumbers[],
  numberOf: (day: DayNumbers) => number | null,
): DayNumbers | undefined {
  const known = days.filter((day) => numberOf(day) !== null);
  return known.toSorted((one, other) => numberOf(other)! - numberOf(one)!).at(0);
}

function DaysTable({ report: { days, range, timeZone } }: { report: NumbersReport }) {
  const isLong = range === "year";
  // Before the first day, nothing is missing.
  const begun = days.findIndex(({ numbers }) => numbers !== null);
  return (
    <div class="scroll tall" role="region" aria-label={text`Days`} tabIndex={0}>
      <table class="table numbers-table">
        <TableHead columns={dayColumns()} />
        <tbody>
          {days.slice(begun).toReversed().map(({ date, numbers }) => (
            <tr key={date}>
              <th scope="row">
                <time dateTime={date}>{dateText(date, isLong)}</time>
              </th>
              {numbers && numbers.mostUsers !== null
                ? <DayCells numbers={numbers} timeZone={timeZone} />
                : <td colSpan={8} class="soft">{text`Nothing recorded`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DayCells({ numbers, timeZone }: { numbers: DayNumbers; timeZone: string }) {
  const { averageHundredths, medianSeconds, mostUsers, mostUsersAt, p90Seconds } = numbers;
  const cells = [
    textOf(mostUsers),
    averageHundredths === null ? "–" : averageText(averageHundredths / 100),
    textOf(numbers.people),
    textOf(numbers.visits),
    medianSeconds === null ? "–" : lengthText(medianSeconds),
    p90Seconds === null ? "–" : lengthText(p90Seconds),
    mostUsersAt !== null && (
      <ZoneTime key="peak" at={mostUsersAt} form="minute" timeZone={timeZone} />
    ),
    recordedText(numbers),
  ];
  const [, ...columns] = dayColumns();
  return (
    <>
      {cells.map((cell, index) => (
        <td key={index} class="number" data-label={columns[index]}>{cell}</td>
      ))}
    </>
  );
}

function textOf(number: number | null): string {
  return number === null ? "–" : numberText(number);
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** The steps of colour of the heat map. */
const levels = 4;

/** The week by hours; weekdays are the rows where there is room for 24 columns, and the columns of a phone. */
function HeatCard({ heat }: { heat: HeatMap }) {
  const { weekdays, weeks } = heat;
  if (weeks === 0) return null;
  const most = Math.max(
    ...weekdays.flatMap(({ hours }) => hours.map(({ average }) => average ?? 0)),
  );
  const names = weekdayNames();
  return (
    <Card id="week" title={text`A week by hours`}>
      <p class="soft">
        {heatText(weeks)}
      </p>
      <table class="heat heat-wide">
        <HeatHead names={hours.map(hourText)} corner={text`Weekday`} />
        <tbody>
          {weekdays.map(({ name, hours }, index) => (
            <tr key={name}>
              <th scope="row">{names[index]}</th>
              {hours.map((cell, hour) => <HeatTableCell key={hour} cell={cell} most={most} />)}
            </tr>
          ))}
        </tbody>
      </table>
      <table class="heat heat-narrow">
        <HeatHead names={names} corner={text`Hour`} />
        <tbody>
          {hours.map((hour) => (
            <tr key={hour}>
              <th scope="row">{hourText(hour)}</th>
              {weekdays.map(({ name, hours }) => (
                <HeatTableCell key={name} cell={hours[hour]} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function hourText(hour: number): string {
  return String(hour).padStart(2, "0");
}

function HeatHead({ names, corner }: { names: string[]; corner: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="visually-hidden">{corner}</span>
        </th>
        {names.map((name) => <th key={name} scope="col">{name}</th>)}
      </tr>
    </thead>
  );
}

function HeatTableCell({ cell: { average }, most }: { cell: HeatCell; most: number }) {
  if (average === null) {
    return (
      <td class="soft">
        <span aria-hidden="true">–</span>
        <span class="visually-hidden">{text`no data`}</span>
      </td>
    );
  }
  const level = most === 0 ? 0 : Math.ceil(average / most * levels);
  return (
    <td data-level={level}>{most < 10 ? tenthsText(average) : numberText(Math.round(average))}</td>
  );
}
