import {
  type EventData,
  type EventLine,
  type InspectedEvents,
  maxKeptEvents,
} from "@/shared/inspection.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";

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
  /** Oldest first, at most {@link maxKeptEvents}, and as many joins and leaves beside them. */
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
  const keys = new Set(before.lines.map(({ key }) => key));
  const added: ListedLine[] = lines
    .map((line) => ({ key: `${inspection} ${line.number}`, inspection, line }))
    .filter(({ key }) => !keys.has(key));
  if (skipped > 0) {
    const key = `${inspection} skipped ${before.added + added.length}`;
    added.push({ key, skipped });
  }
  if (added.length === 0) return before;
  const all = newest([...before.lines, ...added]);
  return { lines: all, added: before.added + added.length };
}

/** Apart, as joins and leaves of a busy channel would leave no room for what else passes by. */
function newest(lines: readonly ListedLine[]): ListedLine[] {
  const room = { joins: maxKeptEvents, others: maxKeptEvents };
  return lines.toReversed().filter((one) => room[isJoinOrLeave(one) ? "joins" : "others"]-- > 0)
    .reverse();
}

function isJoinOrLeave(one: ListedLine): boolean {
  return "line" in one && /^pusher_internal:member_(added|removed)$/.test(one.line.name);
}

/**
 * The lines to show, newest first: events whose names have a part, and how many were not shown.
 *
 * @param listsJoins whether joins and leaves of members are among them.
 */
export function shownLines(
  lines: readonly ListedLine[],
  filter: string,
  listsJoins: boolean,
): ListedLine[] {
  const part = filter.trim().toLowerCase();
  return lines
    .filter((one) => !("line" in one) || one.line.name.toLowerCase().includes(part))
    .filter((one) => listsJoins || !isJoinOrLeave(one))
    .toReversed();
}

/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/** Fetches the data of an event, which the admin log records; a sentence when that failed. */
export async function fetchEventData(
  fields: Record<string, string>,
): Promise<EventData | { problem: string }> {
  try {
    const response = await fetch(href("/admin/channels/data"), {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.json();
    return response.ok ? answer : { problem: String(answer.message) };
  } catch {
    return { problem: text`Couldn't reach the server. Try again.` };
  }
}

/** A string, an empty object or list, a mark, or a number or word. */
const tokens = /"(?:\\.|[^"\\])*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * The data of an event for reading: JSON in lines of its own, other text as it is. Nothing but the space
 * between the parts is changed: numbers keep all of their digits.
 */
export function readableData(data: string): string {
  try {
    JSON.parse(data);
  } catch {
    return data;
  }
  let depth = 0;
  const line = (change: number) => `\n${"  ".repeat(depth += change)}`;
  return Array.from(data.matchAll(tokens), ([token]) => {
    if (token === "{" || token === "[") return token + line(1);
    if (token === "}" || token === "]") return line(-1) + token;
    if (token === ",") return token + line(0);
    if (token === ":") return ": ";
    return /^[{[]/.test(token) ? token.replace(/\s/g, "") : token;
  }).join("");
}
