import type { Browser, Page } from "playwright-core";
import type { HttpVisitor } from "../../tests/fixtures/http_visitor.ts";
import { Person } from "../../tests/fixtures/browser.ts";

/** How many times slower than this machine the CPU of the reader is. */
export const slowedBy = 4;

/**
 * Loads a page of the live number with a slowed CPU, again and again: first with nothing in the browser's
 * cache, then with all of it.
 *
 * @returns milliseconds from the start of each load until the number is live.
 */
export async function timesToLive(
  browser: Browser,
  origin: string,
  { visitor, path, rounds }: { visitor: HttpVisitor; path: string; rounds: number },
): Promise<{ empty: number[]; cached: number[] }> {
  const times = { empty: [] as number[], cached: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    await using person = await Person.meet(browser, origin, { visitor });
    person.expectsConsoleErrors = true;
    for (const cache of ["empty", "cached"] as const) {
      const page = await person.context.newPage();
      times[cache].push(await timeToLive(page, path));
      await page.close();
    }
  }
  return times;
}

async function timeToLive(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowedBy });
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
    (globalThis as unknown as Reporting).isLive(String(performance.now()));
  });
  observer.observe(document, {
    attributeFilter: ["data-status"],
    childList: true,
    subtree: true,
  });
}
