import { useEffect, useRef } from "react";
import type { HistoryChartHandle } from "../browser/history/history_chart.ts";
import { beginsNow } from "../browser/history/history_rows.ts";
import { lineText, peakText, summaryText } from "../browser/history/history_text.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { useHistory } from "../browser/history/use_history.ts";
import { usePlace } from "../browser/page/use_place.ts";
import { Card } from "../components/frame/Card.tsx";
import { HistoryTable } from "../components/history/HistoryTable.tsx";
import { RangeLinks } from "../components/history/RangeLinks.tsx";
import type { HistoryRange, HistoryReport } from "../shared/history.ts";

interface Props {
  settings: ClientSettings;
  /** What the server drew. */
  first: HistoryReport;
  /** The query of the page's address. */
  search: string;
}

/** How many were online over the last hour, day or month, as a line and as a table. */
export default function History({ settings, first, search }: Props) {
  const presence = usePresence(settings);
  const isLive = presence.status === "live";
  const { report, range, isBehind, setRange } = useHistory(first, isLive);
  const place = usePlace();
  // Before the connection is made, the line is as true as the server drew it.
  const isTrue = !isBehind && (isLive || presence.status === "connecting");
  const canvas = useHistoryChart(report, isTrue);
  const choose = (chosen: HistoryRange) => {
    setRange(chosen);
    const address = new URL(location.href);
    address.searchParams.set("range", chosen);
    history.replaceState(history.state, "", address);
  };

  return (
    <Card
      id="history"
      title="History"
      aside={<RangeLinks range={range} search={search} onChoose={choose} />}
    >
      <figure class="chart history-chart">
        <figcaption>{lineText(report.range)}</figcaption>
        <div class="history-box">
          <canvas ref={canvas} role="img" aria-label={summaryText(report, place)} />
          {beginsNow(report) && <p class="history-begins soft">The history begins now.</p>}
        </div>
      </figure>
      <p class="history-foot">
        <span>
          Today’s peak: <strong class="history-peak">{peakText(report, place)}</strong>
        </span>
        {isBehind && <span class="soft">The server does not answer; it is asked again.</span>}
      </p>
      <HistoryTable report={report} place={place} />
    </Card>
  );
}

/** Keeps a chart on a canvas, drawn again after every report and change of its trust. */
function useHistoryChart(report: HistoryReport, isTrue: boolean) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<HistoryChartHandle | null>(null);
  const latest = useRef({ report, isTrue });
  latest.current = { report, isTrue };
  useEffect(() => {
    let unmounted = false;
    // Loaded here so that neither the server nor pages without a chart load the chart's library.
    import("../browser/history/history_chart.ts").then(({ createHistoryChart }) => {
      if (unmounted || canvas.current === null) return;
      const { report, isTrue } = latest.current;
      chart.current = createHistoryChart(canvas.current, report, isTrue);
    }).catch(console.error);
    return () => {
      unmounted = true;
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.show(report, isTrue), [report, isTrue]);
  return canvas;
}
