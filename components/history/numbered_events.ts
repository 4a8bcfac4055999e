import type { HistoryEvent } from "@/server/history/marks.ts";

/** An event in the chart of days. */
export interface NumberedEvent {
  event: HistoryEvent;
  /** Where its line is, from 0 at the start of the chart to 1 at its end. */
  share: number;
  /** What ties the line to the list of events; the oldest has 1. */
  number: number;
}

/** Events that are nearer to each other share a number, as two would overlap on a phone. */
const leastApart = 0.05;

/**
 * The events that the chart of days has a line for, oldest first.
 *
 * @param events the newest first
 */
export function numberedEvents(
  events: readonly HistoryEvent[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): NumberedEvent[] {
  let [number, numberedShare] = [0, -Infinity];
  return events.filter(({ at }) => at < endsAt).toReversed().map((event) => {
    const share = (event.at - startsAt) / (endsAt - startsAt);
    if (share - numberedShare >= leastApart) [number, numberedShare] = [number + 1, share];
    return { event, share, number };
  });
}
