import { BarController, BarElement, CategoryScale, Chart, LinearScale } from "chart.js";
import { chartConfiguration, suggestedMaximum } from "./chart_configuration.ts";
import { onLookChange, readLook } from "./chart_look.ts";

Chart.register(BarController, BarElement, CategoryScale, LinearScale);

/** A chart on the page. */
export interface OnlineChartHandle {
  /** Draws the count again, in the grey of a number that may be out of date unless `live`. */
  show(count: number, live: boolean): void;
  /** Releases the canvas and stops following the colour scheme. */
  destroy(): void;
}

/**
 * Puts a chart on a canvas. It is made once and its data changed from then on. It takes its colours
 * from the style sheet, follows a change between light and dark, and does not move where the reader
 * asked for less motion.
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
      // What nobody can see need not be moved there in many pictures.
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
