import type { Browser, Page } from "playwright-core";
import { readWaits } from "./page_figures.ts";
import { cpuOf, tasksWhile } from "./page_tasks.ts";

/** What inputs should take at most, in milliseconds; and tasks. */
const [inputTarget, taskTarget] = [100, 50];

/** Makes an input, and prints how long the page took. */
export async function report(
  browser: Browser,
  name: string,
  page: Page,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  await page.evaluate(readWaits);
  const start = performance.now();
  const tasks = await tasksWhile(browser, page, () => act(page));
  const seconds = (performance.now() - start) / 1_000;
  const waits = await page.evaluate(readWaits);
  const longest = Math.max(0, ...tasks.map(({ cpu }) => cpu));
  const cost = `${(cpuOf(tasks) / seconds).toFixed(0)} ms of CPU time a second, ` +
    `${longest.toFixed(0)} ms in the longest task (target ${taskTarget})`;
  if (waits.length === 0) return console.log(`${name}: ${cost}`);
  const [half, most] = [quantile(waits, 0.5), quantile(waits, 0.98)];
  console.log(
    `${name}: p50 ${half.toFixed(0)} ms, p98 ${most.toFixed(0)} ms of ${waits.length} ` +
      `(target ${inputTarget}); ${cost}`,
  );
}

/** The number below which this share of the numbers is. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
