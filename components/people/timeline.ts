import type { Change } from "@/shared/online.ts";
import type { PersonSnapshot } from "@/shared/person.ts";
import { longText } from "@/shared/long_text.ts";

/** What happened to a person, or what a tab of theirs reported. */
export interface TimelineEntry {
  /** In milliseconds since 1970, by the server's clock. */
  at: number;
  kind: "joined" | "left" | "page" | "idle" | "active";
  /** Of a page its path, of a join or leave that in words. */
  text?: string;
  /** Why a person left, or the device of a page. */
  note?: string;
}

/** How far back a timeline goes, in milliseconds: a day, as the strip above it. */
const timelineMs = 24 * 60 * 60_000;

/** The most lines of a timeline, and the most lines from before it. */
const [mostEntries, mostEarlier] = [20, 5];

/** A person's last day and what came before, each newest first. */
export interface Timeline {
  entries: TimelineEntry[];
  earlier: TimelineEntry[];
}

/**
 * The timeline of a person: joins and leaves as they are stored, and between them pages and idle times, of which the
 * server knows the current ones alone.
 *
 * @param seen the earlier ones, as far as this page saw them: see {@link SeenEntries}.
 */
export function timelineOf(
  snapshot: PersonSnapshot,
  seen: readonly TimelineEntry[] = [],
): Timeline {
  const stored = snapshot.activity.map(({ at, change, text, reason }): TimelineEntry => (
    { at, kind: change, text, note: reason }
  ));
  const [later, earlier] = [true, false].map((isLater) =>
    stored.filter(({ at }) => (at > snapshot.at - timelineMs) === isLater)
  );
  // Stored first: who joins is on a page from that entry on.
  const all = [...later.toReversed(), ...seen, ...reportedIn(snapshot)]
    .filter(({ at }) => at > snapshot.at - timelineMs)
    .sort((a, b) => a.at - b.at);
  return {
    entries: withoutRepetition(all).reverse().slice(0, mostEntries),
    earlier: earlier.slice(0, mostEarlier),
  };
}

/** What the tabs of a person report now. */
export function reportedIn({ presence }: Pick<PersonSnapshot, "presence">): TimelineEntry[] {
  if (!presence) return [];
  const { activity, pages = [] } = presence;
  return [
    ...pages.map(({ since, path, device }): TimelineEntry => (
      { at: since, kind: "page", text: path, note: device && longText(device) }
    )),
    // Who comes back in an unused tab has been idle for longer than here.
    ...activity ? [{ at: Math.max(activity.since, presence.since), kind: activity.state }] : [],
  ];
}

/**
 * Leaves out a page on which the person was already, and what says only that the person is still idle, or active
 * without having been idle. @param entries oldest first
 */
function withoutRepetition(entries: readonly TimelineEntry[]): TimelineEntry[] {
  let path: string | undefined;
  let isIdle = false;
  return entries.filter(({ kind, text }) => {
    if (kind === "joined" || kind === "left") {
      [path, isIdle] = [undefined, false];
      return true;
    }
    if (kind === "page") {
      const isOther = text !== path;
      path = text;
      return isOther;
    }
    const isOther = (kind === "idle") !== isIdle;
    isIdle = kind === "idle";
    return isOther;
  });
}

/** The most people of whom pages and idle times are kept, and the most of each. */
const [mostPeople, mostOfPerson] = [1_000, 40];

/** The pages and idle times of people that a page has seen, as no server keeps them. */
export class SeenEntries {
  /** Oldest first; who changed last is the last one. */
  readonly #people = new Map<string, TimelineEntry[]>();

  /** Those of a person, oldest first. */
  of(id: string): readonly TimelineEntry[] {
    return this.#people.get(id) ?? [];
  }

  /** Adds what is not known yet. */
  add(id: string, entries: readonly TimelineEntry[]): void {
    const known = this.of(id);
    const added = entries.filter(({ at, kind, text }) =>
      !known.some((other) => other.kind === kind && other.text === text && other.at === at)
    );
    if (added.length === 0) return;
    this.#people.delete(id);
    this.#people.set(id, [...known, ...added].sort((a, b) => a.at - b.at).slice(-mostOfPerson));
    if (this.#people.size > mostPeople) this.#people.delete(this.#people.keys().next().value!);
  }

  /** Adds what a change of the list says. @param at the time of the change, by the server's clock */
  follow(change: Change, at: number): void {
    if (change.type !== "changed") return;
    const { id, page, activity } = change;
    const last = this.of(id).findLast(({ kind }) => kind === "page");
    const isOther = page !== undefined && page.path !== last?.text;
    this.add(id, [
      ...isOther ? [{ at, kind: "page" as const, text: page.path, note: page.device }] : [],
      ...activity ? [{ at: activity.since, kind: activity.state }] : [],
    ]);
  }
}

/** What this page has seen. */
export const seenEntries: SeenEntries = new SeenEntries();
