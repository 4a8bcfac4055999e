import { useEffect, useRef, useState } from "react";
import { type FollowedHistory, followHistory } from "./history_feed.ts";
import type { HistoryChoice, HistoryReport } from "@/shared/history.ts";

/** The history that a page shows. */
export interface KnownHistory {
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
