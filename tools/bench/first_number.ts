import type { Browser, Page } from "playwright-core";
import type { HttpVisitor } from "@/tests/fixtures/http_visitor.ts";
import { Person } from "@/tests/fixtures/browser.ts";
import { cpuOf, tasksWhile } from "./page_report.ts";

/** How many times slower than this machine the CPU of the reader is. */
export const slowedBy = 4;

/** Who loads which page, and how often. */
interface Loads {
  origin: string;
  visitor: HttpVisitor;
  path: string;
  rounds: number;
}

/** What it takes until the number of a page is live, in milliseconds. */
export interface TimesToLive {
  /** From the start of each load, with a slowed CPU and nothing in the browser's cache. */
  empty: number[];
  /** The same, with all files of the page in the cache. */
  cached: number[];
  /** The CPU time of the page's main thread, not slowed, with nothing in the cache. */
  cpu: number[];
}

/** Loads a page of the live number again and again. */
export async function timesToLive(browser: Browser, loads: Loads): Promise<TimesToLive> {
  const times: TimesToLive = { empty: [], cached: [], cpu: [] };
  for (let round = 0; round < loads.rounds; round++) {
    await inNewProfile(browser, loads, async (open) => {
      for (const cache of ["empty", "cached"] as const) {
        const page = await open();
        times[cache].push(await timeToLive(page, loads.path, slowedBy));
        await page.close();
      }
    });
    await inNewProfile(browser, loads, async (open) => {
      const page = await open();
      const load = async () => void await timeToLive(page, loads.path, 1);
      times.cpu.push(cpuOf(await tasksWhile(browser, page, load)));
    });
  }
  return times;
}

async function inNewProfile(
  browser: Browser,
  { origin, visitor }: Loads,
  use: (open: () => Promise<Page>) => Promise<void>,
): Promise<void> {
  await using person = await Person.meet(browser, origin, { visitor });
  person.expectsConsoleErrors = true;
  await use(() => person.context.newPage());
}

async function timeToLive(page: Page, path: string, rate: number): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  // To wait with a function of the page would inject a script, which takes its time too.
  await session.send("Runtime.enable");
  await session.send("Runtime.addBinding", { name: "isLive" });
  const live = new Promise<string>((resolve) => {
    session.on("Runtime.bindingCalled", ({ payload }) => resolve(payload));
  });
  await page.addInitScript(reportWhenLive);
  await page.goto(path, { waitUntil: "commit" });
  return Number(await live);
}

type Reporting = { isLive(milliseconds: string): void };

/** Runs in the page before its own scripts. */
function reportWhenLive(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(':is(.online, .users-count)[data-status="live"]')) return;
    observer.disconnect();
    // The page's global variable.
    (globalThis as unknown as Reporting).isLive(String(performance.now()));
  });
  observer.observe(document, {
    attributeFilter: ["data-status"],
    childList: true,
    subtree: true,
  });
}
