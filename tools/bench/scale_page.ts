import type { Page } from "playwright-core";

/** What a page was sent, and how it kept up. */
export interface PageFigures {
  /** Frames and answers. */
  updatesPerSecond: number;
  /** Of frames and compressed answers, in KB. */
  kilobytesPerSecond: number;
  framesPerSecond: number;
  /** The greatest age of the number, in milliseconds: from its count to the moment the next one is shown. */
  greatestAge: number;
  /** How long the server took for rows, in milliseconds. */
  rows: number[];
}

/** What runs in the page records here. */
interface Recording {
  frames: number;
  ages: number[];
}

type Recorder = typeof globalThis & { recording: Recording };

/** Measures what a page is sent and shows while something is done. */
export async function watchPage(page: Page, act: () => Promise<void>): Promise<PageFigures> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let [updates, bytes] = [0, 0];
  session.on("Network.webSocketFrameReceived", ({ response }) => {
    updates++;
    bytes += response.payloadData.length;
  });
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    updates++;
    bytes += encodedDataLength;
  });
  await page.evaluate(startRecording);
  const start = performance.now();
  await act();
  const seconds = (performance.now() - start) / 1_000;
  const { frames, ages } = await page.evaluate(() => (globalThis as Recorder).recording);
  await session.detach();
  return {
    updatesPerSecond: updates / seconds,
    kilobytesPerSecond: bytes / 1_000 / seconds,
    framesPerSecond: frames / seconds,
    greatestAge: Math.max(...ages),
    rows: await page.evaluate(readRowTimes),
  };
}

/** Runs in the page before its own scripts: notes how old each number is as the next one is drawn. */
export function noteCounts(): void {
  let shown = Infinity;
  const note = (at: number) =>
    requestAnimationFrame(() => {
      // Nothing is recorded before the measurement begins.
      (globalThis as Partial<Recorder>).recording?.ages.push(Date.now() - shown);
      shown = at;
    });
  class NotedSocket extends WebSocket {
    constructor(...address: ConstructorParameters<typeof WebSocket>) {
      super(...address);
      this.addEventListener("message", ({ data }) => {
        const { event, data: payload } = JSON.parse(data);
        if (event.endsWith("OnlineSummary")) note(JSON.parse(payload).at);
      });
    }
  }
  globalThis.WebSocket = NotedSocket;
}

/** Runs in the page: counts the frames that are drawn. */
function startRecording(): void {
  const recording: Recording = { frames: 0, ages: [] };
  Object.assign(globalThis, { recording });
  const count = () => {
    recording.frames++;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  performance.clearResourceTimings();
}

/** Runs in the page. */
function readRowTimes(): number[] {
  return performance.getEntriesByType("resource")
    .filter(({ name }) => name.includes("/admin/online/rows?"))
    .map(({ duration }) => duration);
}
