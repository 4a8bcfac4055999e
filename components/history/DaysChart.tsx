import type { NumbersReport } from "@/server/history/numbers_report.ts";
import { text } from "@/shared/language.ts";
import { numberText } from "@/shared/text.ts";
import { eventText } from "./EventsCard.tsx";
import type { NumberedEvent } from "./numbered_events.ts";
import { averageText, dateText } from "./numbers_text.ts";

/** The size of the drawing in its own units; it is stretched to the width of the page. */
const [width, height] = [1_200, 200];

/** The share of a day's width that its bar takes; without gaps where a bar is as thin as a line. */
const barShares = { month: 0.7, year: 1 };

/** A number at or above another, of which an axis can show the half: 1, 2, 4, 6 or 8 with zeros. */
function roundedUp(number: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(number, 1)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= number)!;
}

/** The text alternative of the chart. */
function chartText(events: readonly NumberedEvent[]): string {
  const numbers = text`Peak and average of each day; the table below has the numbers.`;
  if (events.length === 0) return numbers;
  return `${numbers} ${text`Numbered lines are the events listed after it.`}`;
}

function firstOfEachNumber(events: readonly NumberedEvent[]): NumberedEvent[] {
  return events.filter(({ number }, index) => number !== events[index - 1]?.number);
}

/**
 * The peak and the average of each day as bars, with gaps hatched, and a line with a number for each event. It
 * needs no script.
 */
export function DaysChart({ report: { days, range }, events }: {
  report: NumbersReport;
  /** Oldest first. */
  events: readonly NumberedEvent[];
}) {
  const top = roundedUp(Math.max(...days.map(({ numbers }) => numbers?.mostUsers ?? 0)));
  const barShare = barShares[range];
  const step = width / days.length;
  const begun = days.findIndex(({ numbers }) => numbers !== null);
  const bar = (index: number, value: number) => ({
    x: (index + (1 - barShare) / 2) * step,
    width: barShare * step,
    y: height - value / top * height,
    height: value / top * height,
  });
  const isLong = range === "year";
  const [first, middle, last] = [0, Math.floor(days.length / 2), days.length - 1];
  return (
    <figure>
      <figcaption>
        {text`Users and guests online each day:`}{" "}
        <span class="numbers-key" data-key="peak">{text`peak`}</span>{" "}
        <span class="numbers-key" data-key="average">{text`average`}</span>
        {events.length > 0 && (
          <>
            {" "}
            <span class="numbers-key" data-key="line">{text`events, numbered below`}</span>
          </>
        )}
      </figcaption>
      <div class="numbers-plot">
        <div class="soft numbers-axis" aria-hidden="true">
          <span>{numberText(top)}</span>
          <span>{numberText(top / 2)}</span>
          <span>0</span>
        </div>
        <svg role="img" aria-label={chartText(events)}>
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
            <defs>
              <pattern id="numbers-hatch" width="8" height="8" patternUnits="userSpaceOnUse">
                <path class="numbers-hatch" d="M0 8 8 0M-2 2 2-2M6 10l4-4" />
              </pattern>
            </defs>
            {[0, 0.5, 1].map((share) => (
              <path
                key={share}
                class="numbers-grid"
                d={`M0 ${share * height}H${width}`}
                vector-effect="non-scaling-stroke"
              />
            ))}
            {days.map(({ date, numbers }, index) => {
              if (index < begun) return null;
              if (!numbers || numbers.mostUsers === null) {
                const gap = { x: index * step, width: step, y: 0, height };
                return (
                  <rect key={date} {...gap} fill="url(#numbers-hatch)">
                    <title>{text`${dateText(date, isLong)}: nothing recorded`}</title>
                  </rect>
                );
              }
              const average = (numbers.averageHundredths ?? 0) / 100;
              const [peak, usual] = [numberText(numbers.mostUsers), averageText(average)];
              return (
                <g key={date}>
                  <title>{text`${dateText(date, isLong)}: peak ${peak}, average ${usual}`}</title>
                  <rect class="numbers-peak" {...bar(index, numbers.mostUsers)} />
                  <rect class="numbers-average" {...bar(index, average)} />
                </g>
              );
            })}
            {events.map(({ event, share }) => (
              <path
                key={`${event.kind} ${event.at}`}
                class="numbers-line"
                d={`M${(share * width).toFixed(1)} 0V${height}`}
                vector-effect="non-scaling-stroke"
              >
                <title>{eventText(event)}</title>
              </path>
            ))}
          </svg>
          {/* Not in the drawing, which is stretched. */}
          <g class="soft" fill="currentColor" text-anchor="middle">
            {firstOfEachNumber(events).map(({ number, share }) => (
              <text key={number} x={`${(share * 100).toFixed(1)}%`} y="-0.4em">
                {numberText(number)}
              </text>
            ))}
          </g>
        </svg>
        <div class="row between soft numbers-dates" aria-hidden="true">
          {[first, middle, last].map((index) => (
            <span key={index}>{dateText(days[index].date, isLong)}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}
