import "../page/every_page_scripts.ts";
import { Chart, LinearScale } from "chart.js";
import { onLookChange, readLook } from "../presence/chart_look.ts";
import { historyChartConfiguration } from "./history_chart_configuration.ts";
import { HistoryLine, HistoryPointElement } from "./history_line.ts";
import type { HistoryReport } from "@/shared/history.ts";

Chart.register(LinearScale, HistoryLine, HistoryPointElement);

/** A history chart on the page. */
export interface HistoryChartHandle {
  /** Draws another history; in grey unless `live`, because it may be out of date. */
  show(report: HistoryReport, live: boolean): void;
  /** Where the line is drawn, in CSS pixels from the left of the canvas. */
  area(): { left: number; right: number };
  /** Releases the canvas and stops following the colour scheme. */
  destroy(): void;
}

/**
 * Creates a history chart on a canvas. Its colours come from the style sheet and follow a change
 * between light and dark.
 */
export function createHistoryChart(
  canvas: HTMLCanvasElement,
  report: HistoryReport,
  live: boolean,
): HistoryChartHandle {
  const shown = { report, live };
  const configuration = () => historyChartConfiguration(shown.report, readLook(canvas, shown.live));
  const chart = new Chart(canvas, configuration());
  const redraw = () => {
    const { data, options } = configuration();
    chart.data.datasets = data.datasets;
    chart.options = options ?? {};
    chart.update();
  };
  const stopFollowing = onLookChange(redraw);
  return {
    show(report, live) {
      Object.assign(shown, { report, live });
      redraw();
    },
    area: () => chart.chartArea,
    destroy() {
      stopFollowing();
      chart.destroy();
    },
  };
}
