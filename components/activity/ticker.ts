import type { Activity, LeaveReason, OnlineChanged, PersonKind } from "@/shared/online.ts";
import { numberText } from "@/shared/text.ts";
import { useEffect, useState } from "react";
import { href } from "@/shared/address.ts";
import { fetchJson, onlineFeed, useOnline } from "../live_view/online_feed.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import { text } from "@/shared/language.ts";
import { keyText } from "@/shared/long_text.ts";

/** The number of lines. */
export const tickerLength = 20;

/** Identifies a line: a person joins or leaves at most once in a millisecond. */
export function tickerKey({ at, id, change }: Activity): string {
  return `${at} ${change} ${id}`;
}

/**
 * The newest of the known and the added lines, newest first, without duplicates. The same object when
 * nothing was added.
 *
 * @param known newest first.
 * @param added oldest first.
 */
export function withActivity(
  known: readonly Activity[],
  added: readonly Activity[],
): readonly Activity[] {
  const lines = new Map([...known.toReversed(), ...added].map((line) => [tickerKey(line), line]));
  if (lines.size === known.length) return known;
  return [...lines.values()].sort((a, b) => a.at - b.at).reverse().slice(0, tickerLength);
}

/** The time over which changes are counted, in milliseconds. */
const rateMs = 10_000;

/**
 * Changes in {@link rateMs} above which the lines pause, five a second, and below which they move again;
 * apart, so that a rate near the limit does not make the ticker flicker.
 */
export const [fastAbove, slowBelow] = [50, 30];

/** How many people joined and left. */
interface Rate {
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
  readonly isPaused: boolean;
  /** Whether there are too many changes to read them one by one. */
  readonly isFast: boolean;
  /** When the lines were last brought up to date while there were too many, by the reader's clock. */
  readonly shownAt: number;
  readonly seconds: readonly Second[];
}

/** A ticker with the lines of the HTML, newest first. */
export function tickerState(lines: readonly Activity[]): TickerState {
  const nothing = { missed: 0, isPaused: false, isFast: false, shownAt: 0, seconds: [] };
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

/** The reader pauses the lines, or resumes them. */
export function withPause(state: TickerState, isPaused: boolean): TickerState {
  return state.isPaused === isPaused ? state : brought({ ...state, isPaused });
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
function changesOf({ seconds }: TickerState): Rate {
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

/** Shows the latest lines, unless the reader pauses them or there are too many changes. */
function brought(state: TickerState, isDue = !state.isFast): TickerState {
  if (state.isPaused || !isDue) return state;
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

/** What replaces the lines while there are too many: `37 joined, 31 left in the last 10 s`. */
export function rateText(state: TickerState): string {
  const { joined, left } = changesOf(state);
  const seconds = rateMs / 1_000;
  return text`${numberText(joined)} joined, ${numberText(left)} left in the last ${seconds} s`;
}

/** How often the number of changes is updated while there are too many to read, in milliseconds. */
const rateEveryMs = 1_000;

/** The recent activity, newest first, starting with the lines in the HTML; it can be paused. */
export function useTicker(
  settings: ClientSettings,
  first: readonly Activity[],
): [TickerState, pause: (isPaused: boolean) => void] {
  const [ticker, setTicker] = useState(() => tickerState(first));
  const { state } = useOnline(settings);
  useEffect(() => {
    const add = (added: Activity[], rate?: Rate) => {
      if (added.length > 0) setTicker((before) => withChanges(before, added, Date.now(), rate));
    };
    const feed = onlineFeed(settings);
    const stops = [
      feed.listen<OnlineChanged>("OnlineChanged", ({ changes }) => {
        add(changes.flatMap((change) => change.type === "activity" ? [change.entry] : []));
      }),
      feed.listen<OnlineSummary>("OnlineSummary", (summary) => add(summary.activity, summary)),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  useEffect(() => {
    // The activity before the subscription, or during a broken connection.
    if (state !== "following") return;
    // Newest first. Without an answer, new activity arrives over the connection in any case.
    fetchJson<Activity[]>(href(`/admin/online/activity?${settings.channelQuery ?? ""}`))
      .then((newest) => {
        if (newest) setTicker((before) => withRequested(before, newest.toReversed()));
      });
  }, [state]);
  const { isFast } = ticker;
  useEffect(() => {
    if (!isFast) return;
    const timer = setInterval(() => setTicker((before) => atTime(before, Date.now())), rateEveryMs);
    return () => clearInterval(timer);
  }, [isFast]);
  return [ticker, (isPaused) => setTicker((before) => withPause(before, isPaused))];
}

/** Why a person left. */
export const reasonText: Record<LeaveReason, string> = {
  closed: keyText("closed the page"),
  timed_out: keyText("lost connection"),
  unsubscribed: keyText("left the channel"),
  signed_out: keyText("signed out"),
  removed: keyText("disconnected by an admin or your app"),
  refused: keyText("exceeded a limit"),
  server_restart: keyText("server restarted"),
  server_lost: keyText("server lost"),
};

/** The kinds of people. @param source the name of your own app, where there are several */
export function kindTexts(source = text`Your app`): Record<PersonKind, string> {
  return { user: text`Rollcall account`, guest: text`Guest`, foreign: source };
}

/** Whether a person joined or left. */
export const changeText: Record<Activity["change"], string> = {
  joined: keyText("Joined"),
  left: keyText("Left"),
};
