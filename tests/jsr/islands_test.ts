import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../fixtures/browser.ts";
import { app } from "./browser_app/main.ts";

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
