import { href } from "@/shared/address.ts";
import type { HistoryChoice, HistoryReport } from "@/shared/history.ts";
import { useEffect, useRef, useState } from "react";
import { fetchJson } from "../live_view/online_feed.ts";
import { isCurrent, type Status } from "../presence/presence.ts";

const minuteMs = 60_000;

/** The wait after a failure, in milliseconds. */
const retryMs = 10_000;

/** Requests are spread over this time after the minute, so that pages do not all send at once. */
const spreadMs = 2_000;

/** Receives the outcome of each request. */
interface HistoryListener {
  reported(report: HistoryReport): void;
  /** The server did not answer; the request is repeated. */
  failed(): void;
}

/** A history that is requested every minute. */
interface FollowedHistory {
  /** Requests it now. */
  refresh(): void;
  stop(): void;
}

/**
 * Requests a history after every minute while the page is visible, and at once when `known` has
 * another range or comparison.
 *
 * @param channelQuery of the page's settings.
 */
export function followHistory(
  choice: HistoryChoice,
  known: HistoryReport,
  listener: HistoryListener,
  channelQuery = "",
): FollowedHistory {
  let pending: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const refresh = async () => {
    clearTimeout(timer);
    pending?.abort();
    const mine = pending = new AbortController();
    isDue = false;
    const report = await fetchHistory(choice, channelQuery, mine.signal);
    if (mine.signal.aborted) return;
    if (report) listener.reported(report);
    else listener.failed();
    requestIn(report ? untilNextMinute(report) : retryMs);
  };
  const requestIn = (ms: number) => {
    timer = setTimeout(() => {
      isDue = true;
      requestIfVisible();
    }, ms);
  };
  const requestIfVisible = () => {
    if (isDue && !document.hidden) refresh();
  };
  document.addEventListener("visibilitychange", requestIfVisible);
  if (known.range === choice.range && known.compare === choice.compare) {
    requestIn(untilNextMinute(known));
  } else refresh();
  return {
    refresh,
    stop() {
      clearTimeout(timer);
      pending?.abort();
      document.removeEventListener("visibilitychange", requestIfVisible);
    },
  };
}

function untilNextMinute({ at }: HistoryReport): number {
  return minuteMs - at % minuteMs + (0.25 + Math.random()) * spreadMs;
}

/** The start of the reader's day. */
function midnight(): number {
  return new Date().setHours(0, 0, 0, 0);
}

/** The server's report, or null when there is none. Never rejects. */
function fetchHistory(
  { range, compare }: HistoryChoice,
  channelQuery: string,
  aborted: AbortSignal,
): Promise<HistoryReport | null> {
  const query = new URLSearchParams({ range, midnight: String(midnight()) });
  if (compare) query.set("compare", compare);
  return fetchJson(href(`/admin/online/history?${query}&${channelQuery}`), aborted);
}

/** The history that a page shows. */
interface KnownHistory {
  report: HistoryReport;
  /** What is chosen; its report may not have arrived yet. */
  choice: HistoryChoice;
  /** Whether the last request failed. */
  isBehind: boolean;
  choose(choice: HistoryChoice): void;
}

/**
 * Follows a history, starting with the one in the HTML.
 *
 * @param isLive whether the page's connection is live. When it becomes so, the history is requested: the
 * reader counts from then on, and after a loss there may be a gap.
 * @param channelQuery of the page's settings.
 */
export function useHistory(
  first: HistoryReport,
  isLive: boolean,
  channelQuery?: string,
): KnownHistory {
  const [report, setReport] = useState(first);
  const [choice, choose] = useState<HistoryChoice>({ range: first.range, compare: first.compare });
  const [isBehind, setIsBehind] = useState(false);
  const followed = useRef<FollowedHistory | null>(null);
  useEffect(() => {
    const history = followed.current = followHistory(choice, report, {
      reported(answer) {
        setReport(answer);
        setIsBehind(false);
      },
      failed: () => setIsBehind(true),
    }, channelQuery);
    return () => history.stop();
  }, [choice]);
  useEffect(() => {
    if (isLive) followed.current?.refresh();
  }, [isLive]);
  return { report, choice, isBehind, choose };
}

/**
 * Whether a line is drawn as one that is up to date: the one in the HTML is until the page is connected.
 *
 * @param isBehind whether the last request of the history failed.
 */
export function isUpToDate(status: Status, isBehind: boolean): boolean {
  return !isBehind && (isCurrent(status) || status === "connecting");
}
