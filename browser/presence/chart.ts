import { BarController, BarElement, CategoryScale, Chart, LinearScale } from "chart.js";
import { chartConfiguration, suggestedMaximum } from "./chart_configuration.ts";
import { onLookChange, readLook } from "./chart_look.ts";

Chart.register(BarController, BarElement, CategoryScale, LinearScale);

/** The online chart on the page. */
export interface OnlineChartHandle {
  /** Draws a count; in grey unless `live`, because it may be out of date. */
  show(count: number, live: boolean): void;
  /** Releases the canvas and stops following the colour scheme. */
  destroy(): void;
}

/**
 * Creates the online chart on a canvas. Its colours come from the style sheet and follow a change
 * between light and dark; it is not animated where the reader asked for less motion.
 */
export function createOnlineChart(canvas: HTMLCanvasElement): OnlineChartHandle {
  let count = 0;
  let live = false;
  const chart = new Chart(canvas, chartConfiguration(count, readLook(canvas, live)));

  const redraw = (mode?: "none") => {
    const { data, options } = chartConfiguration(count, readLook(canvas, live));
    Object.assign(chart.data.datasets[0], data.datasets[0]);
    chart.options = options ?? {};
    chart.update(mode);
  };
  const stopFollowing = onLookChange(() => redraw());

  return {
    show(newCount, isLive) {
      // A change of less than a pixel is not animated.
      const moved = Math.abs(newCount - count) / suggestedMaximum(newCount) * canvas.clientHeight;
      const looksAlike = live === isLive && moved < 1;
      count = newCount;
      live = isLive;
      redraw(looksAlike ? "none" : undefined);
    },
    destroy() {
      stopFollowing();
      chart.destroy();
    },
  };
}
