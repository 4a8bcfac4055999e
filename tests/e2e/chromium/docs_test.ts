import { strict as assert } from "node:assert";
import { extname } from "node:path";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { writeSite } from "@/deploy/docs/site.tsx";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";

const app = { PUSHER_APP_ID: "4711", PUSHER_APP_KEY: "a-key-of-the-tests" };
const secret = "a-secret-of-the-tests";

/** The types of a site's files. */
const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

describe("the pages of the documentation", () => {
  const harness = BrowserHarness.ofGroup(
    { ...app, PUSHER_APP_SECRET: secret, APP_URL: "http://localhost" },
    { role: "user" },
  );

  /** The blocks of code that are seen, of those that are for React, Vue and Svelte. */
  function shownBlocks(page: Page): Promise<string[]> {
    return page.locator(".tabs .code-block:visible figcaption > span:first-child")
      .allTextContents();
  }

  it("show one language of several, the one that the reader chose last, on each page", async () => {
    await using person = await harness.meet();
    const page = await person.open("/docs/client");
    await page.getByRole("tab", { name: "React" }).waitFor();
    assert.deepEqual(await shownBlocks(page), ["React"]);
    await page.getByRole("tab", { name: "Vue" }).click();
    assert.deepEqual(await shownBlocks(page), ["Vue"]);
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await shownBlocks(page), ["Svelte"]);
    const tab = page.getByRole("tab", { name: "Svelte" });
    assert.ok(await tab.evaluate((element) => element === document.activeElement));
    assert.equal(await tab.getAttribute("aria-selected"), "true");
    await page.reload();
    await tab.waitFor();
    assert.deepEqual(await shownBlocks(page), ["Svelte"]);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 900 });
    assert.ok(await page.getByText("All pages", { exact: true }).isHidden());
    assert.deepEqual(await shownBlocks(page), ["React", "Vue", "Svelte"]);
  });

  it("copy a block of code", async () => {
    await using person = await harness.meet(undefined, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await person.open("/docs/client");
    await page.locator(".code-block").first().getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, "npm install @rollcall/client\n");
  });

  it("search while the reader types, and lead to a section", async () => {
    await using person = await harness.meet();
    const page = await person.open("/docs/settings");
    const pages = page.getByRole("navigation", { name: "Documentation" });
    const field = page.getByRole("searchbox", { name: "Search the documentation" });
    await field.pressSequentially("trusted_prox");
    const result = page.getByRole("link", { name: "Settings: TRUSTED_PROXIES" });
    await result.waitFor();
    assert.equal(await pages.count(), 0);
    await field.press("Escape");
    await pages.waitFor();
    assert.ok(await result.isHidden());
    await field.fill("trusted_prox");
    await result.click();
    await page.waitForURL("**/docs/settings#trusted_proxies");
    assert.ok(
      await page.locator("#trusted_proxies").evaluate((heading) => heading.matches(":target")),
    );
  });

  it("are whole without script: all languages, the search, the code", async () => {
    await using person = await harness.meet(undefined, { javaScriptEnabled: false });
    const page = await person.open("/docs/client");
    assert.deepEqual(await shownBlocks(page), ["React", "Vue", "Svelte"]);
    assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 0);
    const field = page.getByRole("searchbox", { name: "Search the documentation" });
    await field.fill("trusted_proxies");
    await field.press("Enter");
    await page.waitForURL("**/docs/search?q=trusted_proxies");
    await page.getByRole("link", { name: "Settings: TRUSTED_PROXIES" }).click();
    await page.waitForURL("**/docs/settings#trusted_proxies");
  });

  it("are a site of files that needs no server of Rollcall", async () => {
    const folder = await Deno.makeTempDir();
    await writeSite(new URL("https://docs.example.com"), folder);
    await using site = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        const type = types[extname(pathname)] ?? "application/octet-stream";
        const file = await Deno.readFile(folder + pathname).catch(() => null);
        return file
          ? new Response(file, { headers: { "content-type": type } })
          : new Response(null, { status: 404 });
      },
    );
    await using person = await harness.meet();
    const page = await person.open(`http://127.0.0.1:${site.addr.port}/client.html`);
    await page.getByRole("tab", { name: "Vue" }).click();
    assert.deepEqual(await shownBlocks(page), ["Vue"]);
    const field = page.getByRole("searchbox", { name: "Search the documentation" });
    await field.fill("trusted_prox");
    await field.press("Enter");
    await page.getByRole("link", { name: "Settings: TRUSTED_PROXIES" }).click();
    await page.waitForURL("**/settings.html#trusted_proxies");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await Deno.remove(folder, { recursive: true });
  });

  it("fold their navigation on a phone", async () => {
    await using person = await harness.meet(undefined, { viewport: { width: 390, height: 800 } });
    const page = await person.open("/docs/settings");
    const pages = page.getByRole("navigation", { name: "Documentation" });
    assert.ok(await pages.isHidden());
    await page.getByText("All pages").click();
    await pages.getByRole("link", { name: "Webhooks", exact: true }).click();
    await page.waitForURL("**/docs/webhooks");
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  });

  it("have an admin's own address, ID and key in their code, and never the secret", async () => {
    await using admin = await harness.meet(harness.ada);
    await using user = await harness.meet(harness.ben);
    const codeOf = (page: Page) => page.locator("pre").allTextContents();
    const own = await admin.open("/docs/laravel");
    const filled = (await codeOf(own)).join("\n");
    assert.match(filled, /_APP_KEY=a-key-of-the-tests$/m);
    assert.match(filled, /_HOST=localhost$/m);
    assert.match(filled, /_SCHEME=http$/m);
    await own.getByText("The code has the address, ID and key of").waitFor();
    assert.ok(!(await own.content()).includes(secret));
    for (const reader of [user, await harness.meet()]) {
      const page = await reader.open("/docs/laravel");
      const example = (await codeOf(page)).join("\n");
      assert.match(example, /_APP_KEY=a-key-of-your-own$/m);
      assert.match(example, /_HOST=rollcall\.example\.com$/m);
      assert.doesNotMatch(await page.content(), /a-key-of-the-tests.*<\/code>/);
    }
    const executable = await admin.open("/docs/executable");
    assert.ok(!(await codeOf(executable)).join().includes("localhost/"));
  });
});
