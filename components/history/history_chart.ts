import { Chart, type ChartConfiguration, LinearScale } from "chart.js";
import type { ChartLook } from "../presence/chart_configuration.ts";
import { HistoryLine, HistoryPointElement, tickTimes } from "./history_line.ts";
import { numberText } from "@/shared/text.ts";
import { readerStyle, timeText } from "../page/time_text.ts";
import type { HistoryReport } from "@/shared/history.ts";
import "../page/every_page_scripts.ts";
import { onLookChange, readLook } from "../presence/chart_look.ts";

/** Below this width, in CSS pixels, the time axis has room for few labels. */
const narrowPx = 480;

/** The configuration of a chart: a line of the maximum of each interval, broken by gaps, and what it consists of. */
export function historyChartConfiguration(
  report: HistoryReport,
  look: ChartLook,
): ChartConfiguration<"line", { x: number; y: number }[]> {
  const { range, startsAt, intervalMs, points } = report;
  const until = startsAt + (points.length - 1) * intervalMs;
  const ticks = { color: look.text, font: { family: look.font, size: 12 } };
  return {
    type: "line",
    data: {
      datasets: [
        { data: lineOf(report), borderColor: look.bar },
        // Nothing is drawn where it is not known.
        {
          data: lineOf(report, "active"),
          borderColor: look.bar,
          borderDash: [8, 4],
        },
        { data: lineOf(report, "guests"), borderColor: look.bar, borderDash: [2, 4] },
        ...earlierLine(report, look),
        {
          data: markLines(report),
          borderColor: look.text,
          borderDash: [1, 3],
          yAxisID: "y2",
        },
      ],
    },
    options: {
      maintainAspectRatio: false,
      // Every point moves each minute, which is no change worth animating.
      animation: false,
      events: [],
      parsing: false,
      // The canvas cuts off what a dot at the end draws beyond it.
      layout: { padding: { right: 3 } },
      scales: {
        x: {
          type: "linear",
          min: startsAt,
          max: until,
          grid: { display: false },
          border: { color: look.grid },
          ticks: {
            ...ticks,
            maxRotation: 0,
            callback: (value) => tickText(Number(value), range),
          },
          afterBuildTicks(scale) {
            const times = tickTimes(range, startsAt, until, scale.chart.width < narrowPx);
            scale.ticks = times.map((value) => ({ value }));
          },
        },
        y: {
          type: "linear",
          min: 0,
          suggestedMax: 4,
          grid: { color: look.grid },
          border: { display: false },
          ticks: {
            ...ticks,
            precision: 0,
            // All of them, so that no line is drawn above the last.
            maxTicksLimit: 4,
            autoSkip: false,
            callback: (value) => numberText(Number(value)),
          },
        },
        y2: { type: "linear", display: false },
      },
    },
  };
}

/** The line of the time that the history is compared with, moved to the present. */
function earlierLine({ compare, earlier }: HistoryReport, look: ChartLook) {
  if (!compare || !earlier) return [];
  const { offsetMs, startsAt } = earlier;
  const data = lineOf({ ...earlier, startsAt: startsAt + offsetMs });
  return [{ data, borderColor: look.text, borderDash: [3, 4] }];
}

/** A line over the whole height at each point where something happened. */
function markLines({ startsAt, intervalMs, marks = {} }: HistoryReport) {
  return Object.keys(marks).flatMap((index) =>
    [0, 1, NaN].map((y) => ({ x: startsAt + Number(index) * intervalMs, y }))
  );
}

/** The maximum of each interval; the line has a gap at NaN. */
function lineOf(
  { startsAt, intervalMs, points }: Pick<HistoryReport, "startsAt" | "intervalMs" | "points">,
  number: "most" | "active" | "guests" = "most",
) {
  return points.map((point, index) => ({
    x: startsAt + index * intervalMs,
    y: point?.[number] ?? NaN,
  }));
}

function tickText(at: number, range: HistoryReport["range"]): string {
  return timeText(at, range === "month" ? "date" : "minute", readerStyle);
}

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
  const configuration = () => historyChartConfiguration(report, readLook(canvas, live));
  const chart = new Chart(canvas, configuration());
  const redraw = () => {
    const { data, options } = configuration();
    chart.data.datasets = data.datasets;
    chart.options = options ?? {};
    chart.update();
  };
  const stopFollowing = onLookChange(redraw);
  return {
    show(newest, isLive) {
      report = newest;
      live = isLive;
      redraw();
    },
    area: () => chart.chartArea,
    destroy() {
      stopFollowing();
      chart.destroy();
    },
  };
}
