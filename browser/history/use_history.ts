import { useEffect, useRef, useState } from "react";
import { type FollowedHistory, followHistory } from "./history_feed.ts";
import type { HistoryRange, HistoryReport } from "../../shared/history.ts";

/** What a page knows of how many were online. */
export interface KnownHistory {
  report: HistoryReport;
  /** The range that is wanted; its report may not have come yet. */
  range: HistoryRange;
  /** Whether the server did not answer the last question. */
  isBehind: boolean;
  setRange(range: HistoryRange): void;
}

/**
 * Follows a history, from what the server drew on.
 *
 * @param isLive whether the page's connection is: once it is made the reader counts, and when it comes
 * back there may be a gap to show.
 */
export function useHistory(first: HistoryReport, isLive: boolean): KnownHistory {
  const [report, setReport] = useState(first);
  const [range, setRange] = useState(first.range);
  const [isBehind, setIsBehind] = useState(false);
  const followed = useRef<FollowedHistory | null>(null);
  useEffect(() => {
    const history = followed.current = followHistory(range, report, {
      reported(answer) {
        setReport(answer);
        setIsBehind(false);
      },
      failed: () => setIsBehind(true),
    });
    return () => history.stop();
  }, [range]);
  useEffect(() => {
    if (isLive) followed.current?.refresh();
  }, [isLive]);
  return { report, range, isBehind, setRange };
}
