import type { Page } from "playwright-core";
import { type Figures, readFigures } from "./page_figures.ts";

/** The most time from an input to the next frame, in milliseconds. */
const target = 100;

/** Makes an input, and prints how long the page took. */
export async function report(
  name: string,
  page: Page,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  await page.evaluate(readFigures);
  await act(page);
  const { waits, tasks, seconds }: Figures = await page.evaluate(readFigures);
  const longest = tasks.length === 0 ? 0 : Math.max(...tasks);
  const busy = tasks.reduce((sum, task) => sum + task, 0) / seconds;
  const late = `${tasks.length} long tasks, ${Math.round(longest)} ms at most, ` +
    `${busy.toFixed(1)} ms a second`;
  if (waits.length === 0) return console.log(`${name}: ${late}`);
  const [half, most] = [quantile(waits, 0.5), quantile(waits, 0.98)];
  console.log(
    `${name}: p50 ${half.toFixed(0)} ms, p98 ${most.toFixed(0)} ms of ${waits.length} ` +
      `(target ${target}); ${late}`,
  );
}

function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
