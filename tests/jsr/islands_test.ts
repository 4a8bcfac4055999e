import assert from "node:assert/strict";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../fixtures/browser.ts";
import { app } from "./browser_app/main.ts";
import { copyOfProject } from "./project_copy.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

const builder = new Builder({ root: fileURLToPath(new URL("browser_app/", import.meta.url)) });

// The browser lives from the first test to the last.
const sanitizers = { sanitizeOps: false, sanitizeResources: false };

describe("an island in Chromium", sanitizers, () => {
  let browser: Browser;
  let server: Deno.HttpServer<Deno.NetAddr>;
  let address: string;

  beforeAll(async () => {
    (await builder.build({ mode: "production", snapshot: "memory" }))(app);
    const handler = app.handler();
    server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
    address = `http://127.0.0.1:${server.addr.port}`;
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.shutdown();
  });

  /** Opens the page; what goes wrong in it is collected in `problems`. */
  async function openPage(): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(address);
    return { page, problems };
  }

  it("starts, keeps the server's markup, and has a state of its own", async () => {
    const { page, problems } = await openPage();
    const [first, second] = [page.locator("button").nth(0), page.locator("button").nth(1)];
    await page.waitForSelector("button[data-awake=true] ~ a ~ button[data-awake=true]");
    assert.equal(await first.textContent(), "</script><b>: 9");
    await first.click();
    assert.equal(await first.textContent(), "</script><b>: 11");
    assert.equal(await second.textContent(), "no label: 1");
    await page.click("#clock");
    assert.equal(await page.textContent("#clock"), "1 ticks");
    assert.deepEqual(problems, []);
    await page.close();
  });

  it("adds elements between its own marker comments", async () => {
    const { page } = await openPage();
    await page.waitForSelector("button[data-awake=true]");
    await page.locator("button").first().click();
    await page.waitForSelector("output");
    await page.waitForSelector("em");
    const tags = await page.$$eval("main > *", (nodes) => nodes.map((node) => node.tagName));
    assert.deepEqual(tags, ["BUTTON", "OUTPUT", "A", "SMALL", "BUTTON", "A", "P", "EM", "P"]);
    await page.close();
  });

  it("refers to a static file by the same address as the server", async () => {
    const { page } = await openPage();
    const hrefs = () => page.$$eval("a", (links) => links.map((link) => link.getAttribute("href")));
    const before = await hrefs();
    await page.waitForSelector("button[data-awake=true]");
    assert.deepEqual(await hrefs(), before);
    assert.match(before[0]!, /^\/notes\.txt\?__frsh_c=[0-9a-f]{40}$/);
    await page.close();
  });

  it("runs under a content security policy that allows no other inline script", async () => {
    const response = await fetch(address);
    const policy = response.headers.get("content-security-policy")!;
    const nonce = /'nonce-([0-9a-f]{32})'/.exec(policy)![1];
    assert.doesNotMatch(policy, /unsafe-inline/);
    assert.match(await response.text(), new RegExp(`<script type="module" nonce="${nonce}">`));
  });
});

it("a page of Fresh without islands has no script", async () => {
  (await builder.build({ mode: "production", snapshot: "memory" }))(app);
  const response = await app.handler()(new Request("http://localhost/plain"));
  assert.doesNotMatch(await response.text(), /<script/);
});

it("an island of Fresh inside of another is rendered as a part of it", async () => {
  (await builder.build({ mode: "production", snapshot: "memory" }))(app);
  const html = await (await app.handler()(new Request("http://localhost/nested"))).text();
  const comments = [...html.matchAll(/<!--(.*?)-->/g)].map(([, text]) => text);
  const end = "/frsh:island";
  assert.deepEqual(comments, ["frsh:island:Pair:0:", end, "frsh:island:Clock:1:", end]);
});

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
