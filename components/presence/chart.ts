import "../page/every_page_scripts.ts";
import { BarController, BarElement, CategoryScale, Chart, LinearScale } from "chart.js";
import { chartConfiguration, pixelsMoved } from "./chart_configuration.ts";
import { onLookChange, readLook } from "./chart_look.ts";

Chart.register(BarController, BarElement, CategoryScale, LinearScale);

/** A move of less than this many pixels is not drawn, until more add up. */
const leastPixels = 0.25;

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
  /** The count of the last drawing. */
  let drawn = count;
  const chart = new Chart(canvas, chartConfiguration(count, readLook(canvas, live)));

  const redraw = (mode?: "none") => {
    drawn = count;
    const { data, options } = chartConfiguration(count, readLook(canvas, live));
    Object.assign(chart.data.datasets[0], data.datasets[0]);
    chart.options = options ?? {};
    chart.update(mode);
  };
  const stopFollowing = onLookChange(() => redraw());

  return {
    show(newCount, isLive) {
      const looksAlike = live === isLive;
      const moved = pixelsMoved(drawn, newCount, chart.height);
      count = newCount;
      live = isLive;
      // With thousands of users online, most changes are not visible: drawing each would cost more than
      // everything else on the page. A change of less than a pixel is not animated.
      if (!looksAlike || moved >= 1) redraw();
      else if (moved >= leastPixels) redraw("none");
    },
    destroy() {
      stopFollowing();
      chart.destroy();
    },
  };
}
