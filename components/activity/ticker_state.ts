import { tickerKey, withActivity } from "./ticker.ts";
import type { Activity } from "@/shared/online.ts";

/** The time over which changes are counted, in milliseconds. */
export const rateMs = 10_000;

/**
 * Changes in {@link rateMs} above which the lines stand still, five a second, and below which they move
 * again; apart, so that a rate near the limit does not make the ticker flicker.
 */
export const [fastAbove, slowBelow] = [50, 30];

/** How many people joined and left. */
export interface Rate {
  joined: number;
  left: number;
}

/** The same in one second of the reader's clock. */
interface Second extends Rate {
  second: number;
}

/** What the ticker knows and shows. */
export interface TickerState {
  /** The newest lines, newest first. */
  readonly latest: readonly Activity[];
  /** The lines that are shown: the latest, or those at the time when they came to a stand. */
  readonly shown: readonly Activity[];
  /** The changes since then. */
  readonly missed: number;
  /** Whether the reader points at the lines, has the focus in them or has scrolled. */
  readonly isHeld: boolean;
  /** Whether there are too many changes to read them one by one. */
  readonly isFast: boolean;
  /** When the lines were last brought up to date while there were too many, by the reader's clock. */
  readonly shownAt: number;
  readonly seconds: readonly Second[];
}

/** A ticker with the lines of the HTML, newest first. */
export function tickerState(lines: readonly Activity[]): TickerState {
  const nothing = { missed: 0, isHeld: false, isFast: false, shownAt: 0, seconds: [] };
  return { latest: lines, shown: lines, ...nothing };
}

/** Adds lines that were requested, oldest first: they are no measure of how much happens now. */
export function withRequested(state: TickerState, added: readonly Activity[]): TickerState {
  return brought(known(state, added));
}

/**
 * Adds changes as they happen, oldest first, at a time of the reader's clock.
 *
 * @param rate how many there were, where they are too many to be sent all.
 */
export function withChanges(
  state: TickerState,
  added: readonly Activity[],
  now: number,
  rate = rateOf(added),
): TickerState {
  const unsent = rate.joined + rate.left - added.length;
  const latest = known(state, added);
  const missed = latest.missed + unsent;
  return atTime({ ...latest, missed, seconds: counted(state.seconds, rate, now) }, now);
}

/** The reader holds the lines, or lets them go. */
export function withHold(state: TickerState, isHeld: boolean): TickerState {
  return state.isHeld === isHeld ? state : brought({ ...state, isHeld });
}

/** Time passed: where there are too many changes, the lines are brought up to date every ten seconds. */
export function atTime(state: TickerState, now: number): TickerState {
  const seconds = state.seconds.filter(({ second }) => second * 1_000 > now - rateMs);
  const total = seconds.reduce((sum, { joined, left }) => sum + joined + left, 0);
  const isFast = state.isFast ? total >= slowBelow : total > fastAbove;
  const isDue = !isFast || now - state.shownAt >= rateMs;
  return brought({ ...state, seconds, isFast, shownAt: isDue ? now : state.shownAt }, isDue);
}

/** How many joined and left in the last {@link rateMs}. */
export function changesOf({ seconds }: TickerState): Rate {
  return seconds.reduce(
    (sum, { joined, left }) => ({ joined: sum.joined + joined, left: sum.left + left }),
    { joined: 0, left: 0 },
  );
}

function known(state: TickerState, added: readonly Activity[]): TickerState {
  const latest = withActivity(state.latest, added);
  if (latest === state.latest) return state;
  const keys = new Set(state.latest.map(tickerKey));
  const oldest = state.latest.at(-1)?.at ?? 0;
  const fresh = added.filter((line) => line.at >= oldest && !keys.has(tickerKey(line)));
  return { ...state, latest, missed: state.missed + fresh.length };
}

/** Shows the latest lines, unless the reader holds them or there are too many changes. */
function brought(state: TickerState, isDue = !state.isFast): TickerState {
  if (state.isHeld || !isDue) return state;
  return { ...state, shown: state.latest, missed: 0 };
}

function rateOf(added: readonly Activity[]): Rate {
  const joined = added.filter(({ change }) => change === "joined").length;
  return { joined, left: added.length - joined };
}

function counted(
  seconds: readonly Second[],
  { joined, left }: Rate,
  now: number,
): readonly Second[] {
  const second = Math.floor(now / 1_000);
  const before = seconds.find((known) => known.second === second);
  const present = {
    second,
    joined: (before?.joined ?? 0) + joined,
    left: (before?.left ?? 0) + left,
  };
  return [...seconds.filter((known) => known !== before), present];
}
