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
