import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchBrowser } from "../fixtures/browser.ts";
import { copyOfProject } from "./project_copy.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** How long a build may take on a busy machine, in milliseconds. */
const timeoutMs = 180_000;

describe("the server for development", () => {
  let root: string;
  let stop: () => Promise<void>;
  let address: string;
  let versions: AsyncIterableIterator<string>;

  beforeEach(async () => {
    root = await copyOfProject();
    const controller = new AbortController();
    const listening = Promise.withResolvers<Deno.NetAddr>();
    const served = new Builder({ root }).listen(
      () => import(pathToFileURL(join(root, "main.ts")).href),
      { port: 0, hostname: "127.0.0.1", signal: controller.signal, onListen: listening.resolve },
    );
    address = `127.0.0.1:${(await listening.promise).port}`;
    const socket = new WebSocket(`ws://${address}/_frsh/alive`);
    versions = messagesOf(socket);
    stop = async () => {
      const closed = new Promise((resolve) => socket.onclose = resolve);
      socket.close();
      await withTimeout(closed, "the socket had closed", timeoutMs);
      controller.abort();
      await served;
    };
  });

  afterEach(async () => {
    await stop();
    await Deno.remove(root, { recursive: true });
  });

  async function nextBuild(): Promise<string> {
    const version = await withTimeout(versions.next(), "a build was announced", timeoutMs);
    return version.value.split(" ")[0];
  }

  async function get(path: string): Promise<string> {
    return await (await fetch(`http://${address}${path}`)).text();
  }

  it("adds the script that reloads the browser to every page", async () => {
    const build = await nextBuild();
    assert.match(await get("/plain"), new RegExp(`import "/_fresh/js/${build}/fresh-reload\\.js"`));
    assert.match(await get(`/_fresh/js/${build}/fresh-reload.js`), /_frsh\/alive/);
  });

  it("rebuilds and notifies the browsers when a module of an island changes", async () => {
    const before = await nextBuild();
    await Deno.writeTextFile(join(root, "browser/step.ts"), "export const step = 4321;\n");
    const after = await nextBuild();
    assert.notEqual(after, before);
    assert.match(await get("/"), new RegExp(`/_fresh/js/${after}/Counter\\.js`));
    assert.match(await get(`/_fresh/js/${after}/Counter.js`), /4321/);
  });

  it(
    "makes a browser reload after a change",
    { sanitizeOps: false, sanitizeResources: false },
    async () => {
      await using browser = await launchBrowser();
      const page = await browser.newPage();
      await page.goto(`http://${address}/`);
      await page.waitForSelector("button[data-awake=true]");
      await page.evaluate(() => document.title = "before");
      await Deno.writeTextFile(join(root, "browser/step.ts"), "export const step = 500;\n");
      await page.waitForFunction(() => document.title === "Counters");
      await page.waitForSelector("button[data-awake=true]");
      await page.click("button");
      assert.match(await page.locator("button").first().innerText(), /: 509$/);
    },
  );

  it("serves a static file that is added while it runs", async () => {
    await nextBuild();
    await Deno.writeTextFile(join(root, "static/added.txt"), "added");
    await nextBuild();
    assert.equal(await get("/added.txt"), "added");
  });

  it("serves the last build that worked, after a change that does not build", async () => {
    const before = await nextBuild();
    const said = await firstErrorWhile(() =>
      Deno.writeTextFile(join(root, "browser/step.ts"), "export const step = ;\n")
    );
    assert.match(said, /Unexpected ";"/);
    assert.match(await get("/"), new RegExp(before));
    await Deno.writeTextFile(join(root, "browser/step.ts"), "export const step = 77;\n");
    assert.notEqual(await nextBuild(), before);
  });
});

async function* messagesOf(socket: WebSocket): AsyncIterableIterator<string> {
  const waiting: string[] = [];
  let wake = () => {};
  socket.onmessage = ({ data }) => {
    waiting.push(data);
    wake();
  };
  while (true) {
    if (waiting.length === 0) await new Promise<void>((resolve) => wake = resolve);
    yield waiting.shift()!;
  }
}

/** What is logged as an error, once the change has led to it. */
async function firstErrorWhile(change: () => Promise<void>): Promise<string> {
  const original = console.error;
  try {
    const logged = new Promise<string>((resolve, reject) => {
      console.error = (error) => resolve(String(error));
      change().catch(reject);
    });
    return await withTimeout(logged, "an error was logged", timeoutMs);
  } finally {
    console.error = original;
  }
}
