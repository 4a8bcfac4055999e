import { strict as assert } from "node:assert";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type Browser, devices } from "playwright-core";
import { CodeBlocks } from "../../docs/code_blocks.ts";
import { ConsoleLines, launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { GuideServer, runGuideProgram } from "../../fixtures/guides/guide_programs.ts";
import { GuideProject, ShownGuide } from "../../fixtures/guides/guide_project.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** The file that Laravel itself writes for Reverb, as the documents have it. */
const reverbEcho = new CodeBlocks().take("docs/laravel.md", "js", 'broadcaster: "reverb"').text;

const pusherLibrary = fileURLToPath(
  new URL("../../fixtures/guides/laravel/pusher.php", import.meta.url),
);

describe("the guides that the page shows", () => {
  /** Who is online too, as an admin is who switched on “Count me”. */
  let admin: Person;
  let server: Rollcall;
  let browser: Browser;

  beforeAll(async () => {
    server = await Rollcall.start({ PRESENCE_GRACE_MS: "0", DRAIN_MS: "0" });
    const visitor = new HttpVisitor(server.origin);
    await visitor.setUp(await server.setupToken(), ada);
    await visitor.submit("/admin/online/counted", { counted: "yes" });
    browser = await launchBrowser();
    admin = await Person.meet(browser, server.origin, { visitor });
    const page = await admin.open("/admin/settings/connect");
    await page.getByText("Waiting for the first user of your app").waitFor();
    await page.getByRole("button", { name: "Reveal secret" }).click();
    await page.locator("#app-secret").waitFor();
  });

  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  /** Waits until the page that connects an app shows who joined. */
  async function showsJoined(name: string): Promise<void> {
    await admin.page.locator(".app-status-joined", { hasText: name }).waitFor();
  }

  it("connect an Express app with a plain page, whose user has a name for admins", async () => {
    const guide = await ShownGuide.read(admin.page, "express");
    await using project = new GuideProject(guide.projectFiles);
    await using app = await GuideServer.node(project.folder, "server.mjs");
    await using visitor = await Person.meet(browser, app.origin);
    await (await visitor.open("/")).getByText("2 online").waitFor();
    await showsJoined("Ada Lovelace");
    const live = await admin.open("/admin/online");
    await live.getByText("ada@example.com").waitFor();
    await live.close();
    const body = new URLSearchParams({ socket_id: "1.1", channel_name: "presence-other" });
    const refused = await fetch(`${app.origin}/pusher/auth`, { method: "POST", body });
    assert.deepEqual([refused.status, await refused.json()], [403, { message: "Not allowed" }]);
  });

  it("report where people are, and follow a page that changes its path itself", async () => {
    const [guide, express] = [
      await ShownGuide.read(admin.page, "current-page"),
      await ShownGuide.read(admin.page, "express"),
    ];
    const html = express.file("public/index.html").replace(
      /<\/script>\s*$/,
      `import { reportPage } from "./report_page.js"; reportPage(channel);</script>`,
    );
    await using project = new GuideProject({
      ...express.projectFiles,
      "public/index.html": html,
      "public/report_page.js": guide.file("report_page.js"),
    });
    await using app = await GuideServer.node(project.folder, "server.mjs");
    const live = await admin.open("/admin/online");
    await seesLive(live, 1);
    assert.equal(await live.locator("#top-pages, .online-table-page").count(), 0);
    await using visitor = await Person.meet(browser, app.origin);
    const page = await visitor.open("/?secret=1#part");
    const row = live.locator(".online-table-page");
    await row.getByText("/ · desktop", { exact: true }).waitFor();
    await live.locator("#top-pages li", { hasText: "/" }).waitFor();
    await page.evaluate(() => history.pushState(null, "", "/shop/7?token=secret"));
    await row.getByText("/shop/7 · desktop", { exact: true }).waitFor();
    await live.locator("#top-pages li", { hasText: "/shop/7" }).waitFor();
    await using phone = await Person.meet(browser, app.origin, devices["iPhone 15"]);
    await phone.open("/");
    await row.getByText("/ · phone", { exact: true }).waitFor();
    await live.getByRole("link", { name: "Ada Lovelace" }).first().click();
    const panel = live.locator(".person-panel");
    const tabs = panel.locator("#pages li");
    await tabs.nth(1).waitFor();
    assert.deepEqual(
      (await tabs.allTextContents()).map((text) => text.replace(/since.*/, "")),
      ["/phone, ", "/shop/7desktop, "],
    );
    await panel.press("Escape");
    await row.getByText("/ · phone", { exact: true }).waitFor();
    await phone.context.close();
    await row.getByText("/shop/7 · desktop", { exact: true }).waitFor();
    await page.close();
    await row.waitFor({ state: "detached" });
    await live.locator("#top-pages").waitFor({ state: "detached" });
    await live.close();
  });

  it("report who is active: a tab left alone is idle, and a touch makes the person active", async () => {
    const [guide, express] = [
      await ShownGuide.read(admin.page, "activity"),
      await ShownGuide.read(admin.page, "express"),
    ];
    const html = express.file("public/index.html").replace(
      /<\/script>\s*$/,
      `import { reportActivity } from "./report_activity.js";
        reportActivity(channel, 500);</script>`,
    );
    await using project = new GuideProject({
      ...express.projectFiles,
      "public/index.html": html,
      "public/report_activity.js": guide.file("report_activity.js"),
    });
    await using app = await GuideServer.node(project.folder, "server.mjs");
    await using visitor = await Person.meet(browser, app.origin);
    const page = await visitor.open("/");
    const live = await admin.open("/admin/online");
    const state = live.locator(".online-table tr", { hasText: "Ada Lovelace" })
      .locator(".activity-state");
    const isActive = state.getByText("Active", { exact: true });
    await state.getByText("Idle").waitFor();
    // The admin, whose own page reports too.
    await live.locator(".connections", { hasText: "1 active" }).waitFor();
    // Used until the admin's page has seen it, however long that takes.
    let place = 0;
    await until(async () => {
      await page.mouse.move(10 + ++place % 100, 10);
      return await isActive.count() === 1;
    }, "the person was active");
    await state.getByText("Idle").waitFor();
    await page.close();
    await live.close();
  });

  for (const broadcaster of ["laravel", "laravel-pusher"]) {
    it(`connect Laravel (${broadcaster}), with toOthers()`, async () => {
      const guide = await ShownGuide.read(admin.page, broadcaster);
      const pages = await ShownGuide.read(admin.page, "current-page");
      const entry = `import "./app";
        ${pages.file("With Echo")}
        window.Echo.join("chart").listen("Announcement", ({ text }) => console.log(text));`;
      const files = { "resources/js/echo.js": reverbEcho, ...laravelFiles(guide) };
      await using project = new GuideProject({
        ...files,
        "resources/js/entry.js": entry,
        "resources/js/report_page.js": pages.file("report_page.js"),
      });
      await using app = await laravelApp(project, "resources/js/entry.js");
      await using grace = await signedIn(browser, app.origin, "Grace");
      const ofGrace = new ConsoleLines(grace);
      await grace.open("/");
      await ofGrace.shows("2 online");
      await showsJoined("Grace");
      await using alan = await signedIn(browser, app.origin, `Alan of ${broadcaster}`);
      const ofAlan = new ConsoleLines(alan);
      await alan.open("/");
      await ofAlan.shows("3 online");
      await showsJoined(`Alan of ${broadcaster}`);
      const live = await admin.open("/admin/online");
      await live.locator(".online-table-page").nth(1).waitFor();
      await live.close();
      await announce(alan);
      await ofGrace.shows("Hello");
      await announce(grace);
      await ofAlan.shows("Hello");
      assert.deepEqual(ofAlan.further, [], "his own announcement came back to him");
    });
  }

  const components = {
    react: `import { createElement, StrictMode } from "react";
      import { createRoot } from "react-dom/client";
      import { OnlineCount } from "./OnlineCount";
      const page = createElement(StrictMode, null, createElement(OnlineCount));
      createRoot(document.querySelector("main")).render(page);`,
    vue: `import { createApp } from "vue";
      import OnlineCount from "./OnlineCount.vue";
      createApp(OnlineCount).mount("main");`,
  };

  for (const [framework, entry] of Object.entries(components)) {
    it(`connect Laravel by the hooks for ${framework}`, async () => {
      const guide = await ShownGuide.read(admin.page, framework);
      await using project = new GuideProject({
        ...laravelFiles(guide),
        "resources/js/entry.js": entry,
      });
      await using app = await laravelApp(project, "resources/js/entry.js");
      await using grace = await signedIn(browser, app.origin, "Grace");
      const page = await grace.open("/");
      await page.getByText("2 online").waitFor();
      const alan = await signedIn(browser, app.origin, `Alan of ${framework}`);
      await (await alan.open("/")).getByText("3 online").waitFor();
      await page.getByText("3 online").waitFor();
      await showsJoined(`Alan of ${framework}`);
      await alan[Symbol.asyncDispose]();
      await page.getByText("2 online").waitFor();
    });
  }

  it("connect Echo alone, and send events by the libraries for servers", async () => {
    const guide = await ShownGuide.read(admin.page, "echo");
    const ofServer = await ShownGuide.read(admin.page, "laravel");
    await using project = new GuideProject({
      ...laravelFiles(ofServer),
      "echo.js": `${guide.file("echo.js").replace("/pusher/auth", "/broadcasting/auth")}
        window.Echo.join("chart").listen(".greeting", ({ text }) => console.log("greeting", text));`,
    });
    await using app = await laravelApp(project, "echo.js");
    await using grace = await signedIn(browser, app.origin, "Grace of Echo");
    const lines = new ConsoleLines(grace);
    await grace.open("/");
    await lines.shows("2 online");
    await showsJoined("Grace of Echo");
    const libraries = await ShownGuide.read(admin.page, "server-libraries");
    await using programs = new GuideProject(libraries.projectFiles);
    await runGuideProgram("node", programs.folder, ["send.mjs"]);
    await lines.shows("greeting Hello");
    programs.write("vendor/autoload.php", `<?php require '${pusherLibrary}';`);
    await runGuideProgram("php", programs.folder, ["send.php"]);
    await lines.shows("greeting Hello");
  });

  it("keep the public address when the secret is revealed", async () => {
    const page = await admin.open("/admin/settings/connect?at=public");
    await page.getByRole("button", { name: "Reveal secret" }).click();
    const secret = await page.locator("#app-secret").inputValue();
    const variables = parseEnv((await ShownGuide.read(page, "laravel")).file(".env"));
    assert.deepEqual(
      [variables.REVERB_HOST, variables.REVERB_APP_SECRET],
      ["rollcall.example.com", secret],
    );
    await page.close();
  });

  it("connect a React app without Laravel, by the server of Express", async () => {
    const guide = await ShownGuide.read(admin.page, "react-pusher");
    const express = await ShownGuide.read(admin.page, "express");
    await using project = new GuideProject({
      ...express.projectFiles,
      ...guide.projectFiles,
      "src/main.jsx": components.react,
      "public/index.html": pageHtml,
    });
    project.write("public/page.js", await project.bundle("src/main.jsx"));
    await using app = await GuideServer.node(project.folder, "server.mjs");
    await using visitor = await Person.meet(browser, app.origin);
    await (await visitor.open("/")).getByText("2 online").waitFor();
    await showsJoined("Ada Lovelace");
  });

  it("connect a Next.js app", async () => {
    const guide = await ShownGuide.read(admin.page, "next");
    const entry = `import { createElement } from "react";
      import { createRoot } from "react-dom/client";
      import { OnlineCount } from "./OnlineCount";
      createRoot(document.querySelector("main")).render(createElement(OnlineCount));`;
    await using project = new GuideProject({ ...guide.projectFiles, "app/entry.js": entry });
    const script = await project.bundle("app/entry.js");
    const route = await import(`file://${project.folder}/app/pusher/auth/route.js`);
    const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
    await using app = Deno.serve(options, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/pusher/auth") return route[request.method](request);
      const [type, body] = pathname === "/page.js" ? ["javascript", script] : ["html", pageHtml];
      return new Response(body, { headers: { "content-type": `text/${type}` } });
    });
    await using visitor = await Person.meet(browser, `http://127.0.0.1:${app.addr.port}`);
    await (await visitor.open("/")).getByText("2 online").waitFor();
    await showsJoined("Ada Lovelace");
  });
});

const pageHtml = '<!doctype html><main></main><script type="module" src="/page.js"></script>';

/** A guide's files for Laravel; its rule stands below the line that Laravel's file has. */
function laravelFiles(guide: ShownGuide): Record<string, string> {
  const rule = guide.file("routes/channels.php");
  const channels = `<?php\n\nuse Illuminate\\Support\\Facades\\Broadcast;\n\n${rule}`;
  return { ...guide.projectFiles, "routes/channels.php": channels, "public/index.html": pageHtml };
}

async function laravelApp(project: GuideProject, entry: string): Promise<GuideServer> {
  project.write("public/page.js", await project.bundle(entry));
  return await GuideServer.laravel(project.folder);
}

/** A visitor of a Laravel app who is signed in there by name. */
async function signedIn(browser: Browser, origin: string, user: string): Promise<Person> {
  const person = await Person.meet(browser, origin);
  await person.context.addCookies([{ name: "user", value: encodeURIComponent(user), url: origin }]);
  return person;
}

/** Lets a visitor's page cause an event, as Axios would, with the socket's id. */
async function announce({ page }: Person): Promise<void> {
  await page.evaluate(async () => {
    // The page's global variable.
    const { Echo } = globalThis as unknown as { Echo: { socketId(): string } };
    const headers = { "X-Socket-ID": Echo.socketId() };
    const { status } = await fetch("/announce", { method: "POST", headers });
    if (status !== 200) throw new Error(`The event was answered with ${status}`);
  });
}
