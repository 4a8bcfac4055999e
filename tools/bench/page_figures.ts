/** The figures of a page since they were last read. */
export interface Figures {
  /** From each input to the picture after it, in milliseconds. */
  waits: number[];
  /** Tasks of more than 50 ms, in milliseconds. */
  tasks: number[];
  seconds: number;
}

type Measuring = typeof globalThis & { figures: Figures & { since: number } };

/** Runs in a page: starts to record how long inputs and tasks take. */
export function measureInput(): void {
  const figures = { waits: [], tasks: [], seconds: 0, since: performance.now() } as
    & Figures
    & { since: number };
  Object.assign(globalThis, { figures });
  const note = ({ timeStamp }: Event) => {
    requestAnimationFrame(() => {
      // The message is received after the frame is drawn.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => figures.waits.push(performance.now() - timeStamp);
      channel.port2.postMessage(null);
    });
  };
  for (const type of ["keydown", "click", "wheel"]) {
    addEventListener(type, note, { capture: true, passive: true });
  }
  new PerformanceObserver((list) => {
    figures.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: "longtask" });
}

/** Runs in a page: returns the figures and resets them. */
export function readFigures(): Figures {
  const { figures } = globalThis as Measuring;
  const now = performance.now();
  const seconds = (now - figures.since) / 1_000;
  figures.since = now;
  return { waits: figures.waits.splice(0), tasks: figures.tasks.splice(0), seconds };
}
