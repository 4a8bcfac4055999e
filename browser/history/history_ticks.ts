import type { HistoryRange } from "../../shared/history.ts";

const quarterHourMs = 15 * 60_000;

/** Marks of an axis have room for their words when there are at most so many. */
const mostMarks: Record<HistoryRange, { narrow: number; wide: number }> = {
  hour: { narrow: 4, wide: 4 },
  day: { narrow: 4, wide: 8 },
  month: { narrow: 5, wide: 10 },
};

/**
 * The times at which a time axis has marks: quarters of an hour, hours or days of the reader's own zone,
 * and no more of them than there is room for. In milliseconds since 1970.
 */
export function tickTimes(
  range: HistoryRange,
  from: number,
  until: number,
  isNarrow: boolean,
): number[] {
  const room = mostMarks[range][isNarrow ? "narrow" : "wide"];
  if (range === "hour") return quarterHours(from, until);
  if (range === "day") return hours(from, until, Math.ceil(24 / room));
  return days(from, until, Math.ceil(30 / room));
}

function quarterHours(from: number, until: number): number[] {
  const times: number[] = [];
  for (let at = Math.ceil(from / quarterHourMs) * quarterHourMs; at <= until; at += quarterHourMs) {
    times.push(at);
  }
  return times;
}

/** Every hour of the day that is a multiple of `step`; two on a day when the clock is set back. */
function hours(from: number, until: number, step: number): number[] {
  return quarterHours(from, until).filter((at) => {
    const date = new Date(at);
    return date.getMinutes() === 0 && date.getHours() % step === 0;
  });
}

/** Every so many midnights, counted back from the last one. */
function days(from: number, until: number, step: number): number[] {
  const times: number[] = [];
  const day = new Date(until);
  day.setHours(0, 0, 0, 0);
  for (; day.getTime() >= from; day.setDate(day.getDate() - step)) times.unshift(day.getTime());
  return times;
}
