import type { Browser, Page } from "playwright-core";
import { percentile } from "./report.ts";

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
  const [half, most] = [percentile(waits, 50), percentile(waits, 98)];
  console.log(
    `${name}: p50 ${half.toFixed(0)} ms, p98 ${most.toFixed(0)} ms of ${waits.length} ` +
      `(target ${inputTarget}); ${cost}`,
  );
}

/** A task of a page's main thread; its CPU time in milliseconds, which a busy machine does not stretch. */
export interface Task {
  cpu: number;
}

/** What the browser traces; times in microseconds. */
interface TraceEvent {
  name: string;
  /** "X" for something with a duration. */
  ph: string;
  pid: number;
  tid: number;
  tdur?: number;
  args: { name?: string };
}

const taskName = "ThreadControllerImpl::RunTask";

/** Records the tasks of a page's main thread while something is done. */
export async function tasksWhile(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<Task[]> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return tasksIn(traceEvents);
}

/** The page's process is the one whose main thread was the busiest. */
function tasksIn(events: TraceEvent[]): Task[] {
  const threads = events.filter(({ name, args }) =>
    name === "thread_name" && args.name === "CrRendererMain"
  );
  const tasks = threads.map(({ pid, tid }) =>
    events
      .filter((event) =>
        event.pid === pid && event.tid === tid && event.ph === "X" && event.name === taskName
      )
      .map(({ tdur = 0 }) => ({ cpu: tdur / 1_000 }))
  );
  return tasks.sort((one, other) => cpuOf(other) - cpuOf(one))[0] ?? [];
}

/** The CPU time of tasks, in milliseconds. */
export function cpuOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { cpu }) => sum + cpu, 0);
}

/** What runs in a page, and records how long each input takes. */
type Measuring = typeof globalThis & { waits: number[] };

/** Runs in a page: starts to record the milliseconds from each input to the picture after it. */
export function measureInput(): void {
  const waits: number[] = [];
  Object.assign(globalThis, { waits });
  const note = ({ timeStamp }: Event) => {
    requestAnimationFrame(() => {
      // The message is received after the frame is drawn.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => waits.push(performance.now() - timeStamp);
      channel.port2.postMessage(null);
    });
  };
  for (const type of ["keydown", "click", "wheel"]) {
    addEventListener(type, note, { capture: true, passive: true });
  }
}

/** Runs in a page: returns what was recorded since the last time. */
export function readWaits(): number[] {
  return (globalThis as Measuring).waits.splice(0);
}
