import type { Browser, Page } from "playwright-core";

/** A task of a page's main thread. */
export interface Task {
  /** How long it ran, and how long others on the machine kept it from running, in milliseconds. */
  duration: number;
  /** CPU time, in milliseconds. */
  cpu: number;
  /** What it did, with the milliseconds of each, the longest first. */
  parts: [name: string, duration: number][];
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

const categories = ["toplevel", "devtools.timeline", "v8", "__metadata"];

/** Records the tasks of a page's main thread while something is done. */
export async function tasksWhile(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<Task[]> {
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return tasksIn(traceEvents);
}

/** The page's process is the one whose main thread was the busiest. */
function tasksIn(events: TraceEvent[]): Task[] {
  const threads = events.filter(({ name, args }) =>
    name === "thread_name" && args.name === "CrRendererMain"
  );
  const all = threads.map(({ pid, tid }) =>
    tasksOf(events.filter((event) => event.pid === pid && event.tid === tid && event.ph === "X"))
  );
  const busy = (tasks: Task[]) => tasks.reduce((sum, { cpu }) => sum + cpu, 0);
  return all.sort((one, other) => busy(other) - busy(one))[0] ?? [];
}

function tasksOf(events: TraceEvent[]): Task[] {
  const isTask = ({ name }: TraceEvent) => name === "ThreadControllerImpl::RunTask";
  const sorted = events.toSorted((one, other) => one.ts - other.ts);
  const tasks: Task[] = [];
  for (const [index, event] of sorted.entries()) {
    if (!isTask(event) || event.dur === undefined) continue;
    const parts = new Map<string, number>();
    for (let next = index + 1; next < sorted.length; next++) {
      const inner = sorted[next];
      if (inner.ts > event.ts + event.dur) break;
      parts.set(inner.name, (parts.get(inner.name) ?? 0) + (inner.dur ?? 0) / 1_000);
    }
    tasks.push({
      duration: event.dur / 1_000,
      cpu: (event.tdur ?? event.dur) / 1_000,
      parts: [...parts].sort(([, one], [, other]) => other - one),
    });
  }
  return tasks;
}
