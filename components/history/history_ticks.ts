import type { HistoryRange } from "@/shared/history.ts";

const quarterHourMs = 15 * 60_000;

/** The most marks whose labels have room on the axis. */
const maxMarks: Record<HistoryRange, { narrow: number; wide: number }> = {
  hour: { narrow: 4, wide: 4 },
  day: { narrow: 4, wide: 8 },
  month: { narrow: 5, wide: 10 },
};

/**
 * The times of the marks of the time axis, in milliseconds since 1970: quarters of an hour, hours or
 * days of the reader's zone, and no more of them than there is room for.
 */
export function tickTimes(
  range: HistoryRange,
  from: number,
  until: number,
  isNarrow: boolean,
): number[] {
  const room = maxMarks[range][isNarrow ? "narrow" : "wide"];
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

/** Each hour that is a multiple of `step`; twice on a day when the clock is set back. */
function hours(from: number, until: number, step: number): number[] {
  return quarterHours(from, until).filter((at) => {
    const date = new Date(at);
    return date.getMinutes() === 0 && date.getHours() % step === 0;
  });
}

/** The start of every `step`th day, counted back from the last one; 01:00 on a day without midnight. */
function days(from: number, until: number, step: number): number[] {
  const times: number[] = [];
  const last = new Date(until);
  for (let back = 0;; back += step) {
    const day = new Date(last.getFullYear(), last.getMonth(), last.getDate() - back).getTime();
    if (day < from) return times;
    times.unshift(day);
  }
}
