import { type EventLine, type InspectedEvents, maxKeptEvents } from "@/shared/inspection.ts";

/** An event of the list. */
export interface ListedEvent {
  /** Identifies it on the page. */
  readonly key: string;
  readonly inspection: string;
  readonly line: EventLine;
}

/** A line of the list: an event, or how many events were not shown. */
export type ListedLine = ListedEvent | { readonly key: string; readonly skipped: number };

/** What a page knows of the events of a channel. */
export interface EventLines {
  /** Oldest first, at most {@link maxKeptEvents}. */
  readonly lines: readonly ListedLine[];
  /** How many lines were added since the page was opened. */
  readonly added: number;
}

/** Before the first event. */
export const noLines: EventLines = { lines: [], added: 0 };

/** Adds what the server sent. Events that are known are not added again. */
export function withEvents(
  before: EventLines,
  { inspection, lines, skipped }: InspectedEvents,
): EventLines {
  const known = new Set(before.lines.map(({ key }) => key));
  const added: ListedLine[] = lines
    .map((line) => ({ key: `${inspection} ${line.number}`, inspection, line }))
    .filter(({ key }) => !known.has(key));
  if (skipped > 0) {
    const key = `${inspection} skipped ${before.added + added.length}`;
    added.push({ key, skipped });
  }
  if (added.length === 0) return before;
  const all = [...before.lines, ...added];
  return { lines: all.slice(-maxKeptEvents), added: before.added + added.length };
}

/** The lines to show, newest first: events whose names have a part, and how many were not shown. */
export function shownLines(lines: readonly ListedLine[], filter: string): ListedLine[] {
  const part = filter.trim().toLowerCase();
  return lines
    .filter((one) => !("line" in one) || one.line.name.toLowerCase().includes(part))
    .toReversed();
}
