import { useState } from "react";
import { cursorText, nearestPoint } from "./history_cursor.ts";
import type { TimeStyle } from "../page/time_text.ts";
import type { HistoryReport } from "@/shared/history.ts";
import { text } from "@/shared/language.ts";

/** Where the line is drawn, in CSS pixels from the left of the chart. */
export interface PlotArea {
  left: number;
  right: number;
}

/**
 * Reads the line of a history at one point, which the pointer or the arrow keys choose. It lies over the
 * chart.
 */
export function HistoryCursor({ report, style, area }: {
  report: HistoryReport;
  style: TimeStyle;
  /** Undefined while no line is drawn. */
  area: () => PlotArea | undefined;
}) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = report.points.length - 1;
  const index = Math.min(chosen ?? last, last);
  const plot = chosen === null ? undefined : area();
  const reading = cursorText(report, index, style);
  const pointTo = (event: PointerEvent) => {
    const plot = area();
    if (!plot) return;
    const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    setChosen(nearestPoint((event.clientX - left - plot.left) / (plot.right - plot.left), last));
  };
  return (
    <div
      class="history-cursor"
      onPointerMove={pointTo}
      onPointerDown={pointTo}
      onPointerLeave={() => setChosen(null)}
    >
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={text`Time`}
        aria-valuetext={reading}
        onMouseDown={(event) => event.preventDefault()}
        onFocus={() => setChosen(index)}
        onBlur={() => setChosen(null)}
        onInput={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
      {plot && (
        <div
          class="history-reading"
          style={{
            left: `${plot.left + (plot.right - plot.left) * index / last}px`,
            "--part": index / last,
          }}
          aria-hidden="true"
        >
          <p>{reading.replaceAll("; ", "\n")}</p>
        </div>
      )}
    </div>
  );
}
