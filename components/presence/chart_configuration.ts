import type { ChartConfiguration } from "chart.js";
import { numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

/** The look of a chart. Colours are CSS colours. */
export interface ChartLook {
  bar: string;
  grid: string;
  text: string;
  font: string;
  /** Whether changes are animated. */
  animated: boolean;
}

/** The configuration of the online chart: one bar, the number of users online. */
export function chartConfiguration(count: number, look: ChartLook): ChartConfiguration<"bar"> {
  const maximum = suggestedMaximum(count);
  return {
    type: "bar",
    data: {
      labels: [text`Online`],
      datasets: [{
        label: text`Number of users online`,
        data: [count],
        backgroundColor: look.bar,
        borderRadius: { topLeft: 4, topRight: 4 },
        maxBarThickness: 64,
      }],
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: look.animated ? { duration: 250 } : false,
      events: [],
      scales: {
        x: {
          grid: { display: false },
          border: { color: look.grid },
          ticks: { color: look.text, font: { family: look.font, size: 12 } },
        },
        y: {
          min: 0,
          suggestedMax: maximum,
          grid: { color: look.grid },
          border: { display: false },
          ticks: {
            precision: 0,
            stepSize: maximum / 2,
            callback: (value) => numberText(Number(value)),
            color: look.text,
            font: { family: look.font, size: 12 },
          },
        },
      },
    },
  };
}

/**
 * The least end of the axis: the next of 4, 10, 20, 40, 100, 200, … that leaves a fifth of the height
 * free, so that the bar does not always look full and the axis seldom changes. Half of it is a whole
 * number too.
 */
export function suggestedMaximum(count: number): number {
  for (let power = 1;; power *= 10) {
    for (const step of [4, 10, 20]) {
      if (count <= step * power * 0.8) return step * power;
    }
  }
}

/**
 * By how many pixels the top of the bar moves from one count to another on a chart of a height. Infinite
 * when the axis is another one.
 */
export function pixelsMoved(before: number, after: number, height: number): number {
  const maximum = suggestedMaximum(after);
  return maximum === suggestedMaximum(before)
    ? Math.abs(after - before) / maximum * height
    : Infinity;
}
