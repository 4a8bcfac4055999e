import type { ChartConfiguration } from "chart.js";

/** How the chart looks apart from its data. Colours are CSS colours. */
export interface ChartLook {
  bar: string;
  grid: string;
  text: string;
  font: string;
  /** Whether the bar may grow and shrink before the reader's eyes. */
  animated: boolean;
}

/** The name of the data, as the chart's data set has it and the caption repeats it. */
export const dataLabel = "Number of users online";

/** The configuration of a chart with one bar and room for more: how many users are online. */
export function chartConfiguration(count: number, look: ChartLook): ChartConfiguration<"bar"> {
  const maximum = suggestedMaximum(count);
  return {
    type: "bar",
    data: {
      labels: ["Online"],
      datasets: [{
        label: dataLabel,
        data: [count],
        backgroundColor: look.bar,
        borderRadius: { topLeft: 4, topRight: 4 },
        maxBarThickness: 120,
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
            color: look.text,
            font: { family: look.font, size: 12 },
          },
        },
      },
    },
  };
}

/**
 * Where the axis should end at least: the next of 4, 10, 20, 40, 100, 200, … that leaves a fifth of
 * the height free, so that the bar does not always look full and the axis seldom moves. Its half is
 * a whole number too.
 */
export function suggestedMaximum(count: number): number {
  for (let power = 1;; power *= 10) {
    for (const step of [4, 10, 20]) {
      if (count <= step * power * 0.8) return step * power;
    }
  }
}
