import type { Browser, Page } from "playwright-core";

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
