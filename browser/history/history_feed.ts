import { href } from "../../shared/address.ts";
import type { HistoryRange, HistoryReport } from "../../shared/history.ts";

const minuteMs = 60_000;

/** How long the server may take to answer, and how long to wait after it did not, in milliseconds. */
const [patienceMs, retryMs] = [15_000, 10_000];

/** Pages ask at different times after the minute, so that they do not all ask at once. */
const spreadMs = 2_000;

/** What becomes of the questions. */
export interface HistoryListener {
  reported(report: HistoryReport): void;
  /** The server did not answer; it is asked again. */
  failed(): void;
}

/** A history that is followed. */
export interface FollowedHistory {
  /** Asks now. */
  refresh(): void;
  stop(): void;
}

/**
 * Asks for a history whenever a minute is over, while the page is seen, and at once when another range
 * is known.
 */
export function followHistory(
  range: HistoryRange,
  known: HistoryReport,
  listener: HistoryListener,
): FollowedHistory {
  let asking: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const refresh = async () => {
    clearTimeout(timer);
    asking?.abort();
    const mine = asking = new AbortController();
    isDue = false;
    const report = await fetchHistory(range, mine.signal);
    if (mine.signal.aborted) return;
    if (report) listener.reported(report);
    else listener.failed();
    askIn(report ? untilNextMinute(report) : retryMs);
  };
  const askIn = (ms: number) => {
    timer = setTimeout(() => {
      isDue = true;
      askIfSeen();
    }, ms);
  };
  const askIfSeen = () => {
    if (isDue && !document.hidden) refresh();
  };
  document.addEventListener("visibilitychange", askIfSeen);
  if (known.range === range) askIn(untilNextMinute(known));
  else refresh();
  return {
    refresh,
    stop() {
      clearTimeout(timer);
      asking?.abort();
      document.removeEventListener("visibilitychange", askIfSeen);
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

/** The server's answer, or null when there is none. Never rejects. */
async function fetchHistory(
  range: HistoryRange,
  aborted: AbortSignal,
): Promise<HistoryReport | null> {
  try {
    const query = new URLSearchParams({ range, midnight: String(midnight()) });
    const response = await fetch(href(`/admin/online/history?${query}`), {
      headers: { accept: "application/json" },
      signal: AbortSignal.any([aborted, AbortSignal.timeout(patienceMs)]),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // The network failed or the server took too long.
  }
  return null;
}
