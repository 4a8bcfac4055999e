import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { CDPSession, Page } from "playwright-core";
import { seesLive } from "../../fixtures/browser.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";

/**
 * How much heavier pages are on the Fresh of JSR than on its shim, in bytes: its runtime contains
 * partials, signals and a renderer. The tests keep this much free where the shim is in use.
 */
const runtimeDifference = Deno.readTextFileSync("deno.json").includes("./packages/jsr/fresh")
  ? 12 * 1024
  : 0;

/** What each page may weigh: all that is transferred, in KB, and the gzipped script of it, in KiB. */
const limits = [
  { path: "/admin/online", transferred: 190, script: 110 },
  { path: "/", transferred: 60, script: 40 },
];

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("the weight of a page", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
  });

  /** The gzipped script of a page on which one user is online, in bytes. */
  async function scriptOf(path: string): Promise<number> {
    await using person = await harness.meet(harness.ada, { reducedMotion: "reduce" });
    const scripts = new Set<string>();
    person.context.on("request", (request) => {
      if (request.resourceType() === "script") scripts.add(new URL(request.url()).pathname);
    });
    await person.open(path);
    await seesLive(person.page, 1);
    await person.page.waitForLoadState("networkidle");
    let bytes = 0;
    for (const each of scripts) bytes += await gzippedSize(harness.server.origin, each);
    assert.ok(bytes > 20_000, "scripts were counted");
    return bytes;
  }

  it("the live view loads at most 3 KiB more of script until the first user of an app came", async () => {
    const bytes = await scriptOf("/admin/online");
    const user = await AdmittedSocket.joinAs(harness.server, app, "7");
    await user.close();
    const more = bytes - await scriptOf("/admin/online");
    assert.ok(more > 0 && more <= 3 * 1024, `${more} bytes`);
  });

  for (const { path, transferred, script } of limits) {
    it(`${path} is at most ${transferred} KB with all that it loads, as it is transferred`, async () => {
      await using person = await harness.meet(harness.ada);
      const page = await person.context.newPage();
      const weight = await Transfer.watch(page);
      await page.goto(path);
      await seesLive(page, 1);
      await page.waitForLoadState("networkidle");
      const { total, requests } = weight;
      assert.ok(requests.length > 5, "requests were counted");
      const most = transferred * 1_000 - runtimeDifference;
      assert.ok(total <= most, `${total} bytes, ${total - most} too many:\n${requests.join("\n")}`);
      await page.close();
    });

    it(`${path} loads at most ${script} KiB of gzipped script, the runtime of Fresh included`, async () => {
      const bytes = await scriptOf(path);
      const most = script * 1024 - runtimeDifference;
      assert.ok(bytes <= most, `${path} loads ${bytes} bytes, ${bytes - most} too many`);
    });
  }

  it("the live view loads what draws charts once its number is live, or a second has passed", async () => {
    await using person = await harness.meet(harness.ada);
    const page = await person.context.newPage();
    await page.addInitScript(noteFirstNumber);
    const drawing = page.waitForRequest(/\/history_chart-\w+\.js$/);
    await page.goto("/admin/online");
    await (await drawing).response();
    await seesLive(page, 1);
    const times = await page.evaluate(() => ({
      // The page's global variable.
      live: (globalThis as unknown as { liveAt: number }).liveAt,
      charts: performance.getEntriesByType("resource")
        .filter(({ name }) => /\/(history_)?chart-\w+\.js$/.test(name))
        .map(({ startTime }) => startTime),
    }));
    assert.equal(times.charts.length, 2);
    for (const start of times.charts) {
      assert.ok(start >= Math.min(times.live, 1_000), JSON.stringify(times));
    }
  });
});

/** Runs in the page: notes when its number is first live, in milliseconds since its load began. */
function noteFirstNumber(): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.online[data-status="live"]')) return;
    observer.disconnect();
    Object.assign(globalThis, { liveAt: performance.now() });
  });
  observer.observe(document, { attributeFilter: ["data-status"], childList: true, subtree: true });
}

/** What a page transfers: the headers and the compressed bodies of its answers, as the browser counts them. */
class Transfer {
  readonly #addresses = new Map<string, string>();
  /** A line for each answer, with its bytes. */
  readonly requests: string[] = [];
  total = 0;

  static async watch(page: Page): Promise<Transfer> {
    const session = await page.context().newCDPSession(page);
    const transfer = new Transfer(session);
    await session.send("Network.enable");
    return transfer;
  }

  private constructor(session: CDPSession) {
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      this.#addresses.set(requestId, new URL(request.url).pathname);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      this.total += encodedDataLength;
      this.requests.push(`${encodedDataLength} ${this.#addresses.get(requestId)}`);
    });
  }
}

async function gzippedSize(origin: string, path: string): Promise<number> {
  const { text } = await new HttpVisitor(origin).send("GET", path);
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}
