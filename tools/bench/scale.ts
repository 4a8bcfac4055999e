import type { Browser, Page } from "playwright-core";
import { launchBrowser, Person } from "@/tests/fixtures/browser.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { openFileLimit, percentile } from "./report.ts";
import { cpuOf, tasksWhile } from "./page_report.ts";
import type { SocketsToOpen } from "./scale_sockets.ts";
import { noteCounts, type PageFigures, watchPage } from "./scale_page.ts";

/**
 * `deno task bench:scale [MEMBERS] [CHANGES]`: what many quiet members cost the server, and an admin's page
 * in Chromium, while CHANGES of them join or leave per second; beside a tenth of the members. As many
 * have real sockets as this machine lets a process open, up to 10,000; the others are simulated in the
 * server's process, which spends on them all but the system calls.
 */
const members = Number(Deno.args[0] ?? "100000");
const changes = Number(Deno.args[1] ?? "500");

/** How long each measurement takes, in seconds. */
const seconds = 15;

const mostSockets = Math.min(10_000, await openFileLimit() - 1_000);

/** Figures by their names. */
type Figures = Record<string, number>;

const few = await measure(members / 10);
const many = await measure(members);
console.log(
  `| | ${members / 10} members | ${members} members | ratio |\n| --- | --- | --- | --- |`,
);
for (const [name, figure] of Object.entries(many)) {
  console.log(
    `| ${name} | ${round(few[name])} | ${round(figure)} | ${round(figure / few[name])} |`,
  );
}

async function measure(count: number): Promise<Figures> {
  const environment = {
    PRESENCE_MAX_MEMBERS: String(2 * count),
    MAX_CONNECTIONS: String(2 * count),
    MAX_CONNECTIONS_PER_ADDRESS: "0",
  };
  await using server = await Rollcall.start(environment, undefined, "tools/bench/page_server.ts");
  const [visitor] = await moveIn(server);
  const empty = await memoryOf(server);
  const sockets = Math.min(count / 2, mostSockets);
  using _clients = await fill(server, count - sockets, sockets);
  const full = await memoryOf(server);
  console.error(`${count} members, ${sockets} with real sockets; load ${Deno.loadavg()[0]}`);
  const unwatched = await cpuWhile(server, () => sleep(seconds));
  const browser = await launchBrowser();
  try {
    await using admin = await Person.meet(browser, server.origin, { visitor });
    admin.expectsConsoleErrors = true;
    await admin.context.addInitScript(noteCounts);
    const start = performance.now();
    const page = await admin.open("/admin/online");
    await page.waitForSelector('.online[data-status="live"]');
    const live = performance.now() - start;
    await page.waitForSelector(".online-table tr[data-id]", { timeout: 60_000 });
    const listed = performance.now() - start;
    return {
      "memory of the server, MB": full,
      "memory of a member, KB": (full - empty) / count * 1_000,
      "CPU of the server without admins, ms/s": unwatched,
      "time until the number of the first page is live, ms": live,
      "time until it has rows, ms": listed,
      ...await measurePage(server, browser, page),
      "memory with an admin's page, MB": await memoryOf(server),
    };
  } finally {
    await browser.close();
  }
}

async function measurePage(server: Rollcall, browser: Browser, page: Page): Promise<Figures> {
  let figures: PageFigures | undefined;
  const cpu = await cpuWhile(server, async () => {
    figures = await watchPage(page, () => sleep(seconds));
  });
  const { updatesPerSecond, kilobytesPerSecond, framesPerSecond, greatestAge, rows } = figures!;
  const tasks = await tasksWhile(browser, page, () => sleep(seconds));
  const used = await watchPage(page, () => usePage(page));
  return {
    "CPU of the server with an admin's page, ms/s": cpu,
    "updates to the page, /s": updatesPerSecond,
    "bytes to the page, KB/s": kilobytesPerSecond,
    "greatest age of the number, ms": greatestAge,
    "frames of the page, /s": framesPerSecond,
    "longest task of the page, ms of CPU": Math.max(...tasks.map(({ cpu }) => cpu)),
    "CPU of the page, ms/s": cpuOf(tasks) / seconds,
    "rows while it is read, p50, ms": percentile(rows, 50),
    "rows while it is used, p50, ms": percentile(used.rows, 50),
    "rows while it is used, p98, ms": percentile(used.rows, 98),
    "bytes while it is used, KB/s": used.kilobytesPerSecond,
    "frames while it is used, /s": used.framesPerSecond,
  };
}

/** Searches, sorts and scrolls. */
async function usePage(page: Page): Promise<void> {
  const search = page.getByRole("searchbox");
  for (const name of ["bauer 1", "ada"]) {
    await search.focus();
    await page.keyboard.type(name, { delay: 120 });
    await sleep(1);
    await search.fill("");
  }
  for (const head of await page.locator(".online-table thead button").all()) {
    await head.click();
    await sleep(1);
  }
  await page.locator(".online-table-box").hover();
  for (let turn = 0; turn < 20; turn++) {
    await page.mouse.wheel(0, 5_000);
    await sleep(0.2);
  }
}

/** Has members join: simulated ones, of which some come and go, and ones with sockets that stay. */
async function fill(server: Rollcall, simulated: number, sockets: number): Promise<Disposable> {
  const query = new URLSearchParams({
    members: String(simulated),
    changes: String(changes),
    quiet: "true",
  });
  const answer = await fetch(`${server.origin}/bench?${query}`, { method: "POST" });
  const port = Number(new URL(await server.listening()).port);
  const worker = new Worker(new URL("./scale_sockets.ts", import.meta.url), { type: "module" });
  const ready = new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage({ ...await answer.json(), port, sockets } satisfies SocketsToOpen);
  await ready;
  return { [Symbol.dispose]: () => worker.terminate() };
}

/** Milliseconds of CPU time of the server per second. */
async function cpuWhile(server: Rollcall, act: () => Promise<void>): Promise<number> {
  const [start, before] = [performance.now(), await cpuTime(server)];
  await act();
  return (await cpuTime(server) - before) / (performance.now() - start) * 1_000;
}

/** Linux counts in hundredths of a second. */
async function cpuTime({ pid }: Rollcall): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user + system) * 10;
}

async function memoryOf({ pid }: Rollcall): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_000;
}

function sleep(duration: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration * 1_000));
}

function round(figure: number | undefined): string {
  return Number.isFinite(figure) ? String(Number(figure!.toPrecision(3))) : "–";
}
