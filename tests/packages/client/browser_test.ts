import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Locator, Page } from "playwright-core";
import PusherServer from "pusher";
import { ConsoleLines, Person } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { until } from "../../fixtures/eventually.ts";
import { GuideServer } from "../../fixtures/guides/guide_programs.ts";
import { GuideProject, ShownGuide } from "../../fixtures/guides/guide_project.ts";
import { PackedClient } from "../../fixtures/packed_client.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { appId: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

const settings = {
  PUSHER_APP_ID: app.appId,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
};

const echoLibrary = new URL(
  "../../../node_modules/laravel-echo/dist/echo.iife.js",
  import.meta.url,
);

const mounting = {
  "Online.jsx": `import { createElement, StrictMode } from "react";
    import { createRoot } from "react-dom/client";
    import { Online } from "./Online";
    const page = createElement(StrictMode, null, createElement(Online));
    createRoot(document.querySelector("main")).render(page);`,
  "Online.vue": `import { createApp } from "vue";
    import Online from "./Online.vue";
    createApp(Online).mount("main");`,
  "Online.svelte": `import { mount } from "svelte";
    import Online from "./Online.svelte";
    mount(Online, { target: document.querySelector("main") });`,
};

describe("the client package in pages, installed from its tarball", () => {
  const harness = BrowserHarness.ofGroup(settings);
  let client: PackedClient;
  let admin: Person;
  let guides: Record<
    "client-package" | "echo" | "express" | "current-page" | "activity",
    ShownGuide
  >;

  beforeAll(async () => {
    client = harness.use(await PackedClient.install());
    admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/settings/connect");
    await page.getByRole("button", { name: "Reveal secret" }).click();
    await page.locator("#app-secret").waitFor();
    const ids = ["client-package", "echo", "express", "current-page", "activity"] as const;
    const read = ids.map(async (id) => [id, await ShownGuide.read(page, id)] as const);
    guides = Object.fromEntries(await Promise.all(read)) as typeof guides;
    await page.close();
  });
  afterAll(() => admin?.[Symbol.asyncDispose]());

  /** Serves a reader's project with the files of the guides, whose page runs a module. */
  async function serve(
    stack: AsyncDisposableStack,
    entry: string,
    more: Record<string, string> = {},
  ): Promise<string> {
    const files = {
      ...more,
      ...guides.express.projectFiles,
      ...guides["client-package"].projectFiles,
      "echo.js": guides.echo.file("echo.js"),
      "entry.js": entry,
      "public/index.html":
        '<!doctype html><main id="online"></main><script type="module" src="/page.js"></script>',
    };
    const project = stack.use(new GuideProject(files, client.modules));
    project.write("public/page.js", await project.bundle("entry.js"));
    return stack.use(await GuideServer.node(project.folder, "server.mjs")).origin;
  }

  /** The row of the guides' user in the list of who is online. */
  function rowIn(live: Page): Locator {
    return live.locator(".online-table tr", { hasText: "Ada Lovelace" });
  }

  for (const [component, mount] of Object.entries(mounting)) {
    it(`tell who is online by ${component} of the guide, and report`, async () => {
      await using stack = new AsyncDisposableStack();
      const origin = await serve(stack, `import "./echo.js";\n${mount}`);
      const visitor = stack.use(await Person.meet(harness.browser, origin));
      const live = await admin.open("/admin/online");
      await (await visitor.open("/")).getByText(/^[1-9] online$/).waitFor();
      await rowIn(live).getByText("/ · desktop", { exact: true }).waitFor();
      await rowIn(live).locator(".activity-state", { hasText: "Active" }).waitFor();
      await live.close();
    });
  }

  it("tell who is online by the lines of the guide, with pusher-js and with Echo", async () => {
    const guide = guides["client-package"];
    const plain = guides.express.file("public/index.html");
    const connecting = /<script type="module">([^]*)<\/script>/.exec(plain)?.[1];
    const entries = [
      `import Pusher from "pusher-js";\n${connecting}\n${guide.file("With pusher-js")}`,
      `import "./echo.js";\n${guide.file("With Echo")}`,
    ];
    for (const entry of entries) {
      await using stack = new AsyncDisposableStack();
      const visitor = stack.use(await Person.meet(harness.browser, await serve(stack, entry)));
      const lines = new ConsoleLines(visitor);
      const page = await visitor.open("/");
      await until(() => lines.further.some((line) => /^[1-9] online$/.test(line)), "it was told");
      await until(() => lines.further.some((line) => /^\[.*\b7\b.*\]$/.test(line)), "it has 7");
      await page.close();
    }
  });

  it("report by the lines that stand beside the plain ones", async () => {
    await using stack = new AsyncDisposableStack();
    const blocks = [guides["current-page"], guides.activity]
      .map((guide) => guide.file("With @rollcall/client"));
    const [pages, activity] = blocks;
    const origin = await serve(
      stack,
      'import "./echo.js"; import "./pages.js"; import "./activity.js";',
      {
        "pages.js": pages,
        "activity.js": activity,
      },
    );
    const visitor = stack.use(await Person.meet(harness.browser, origin));
    const live = await admin.open("/admin/online");
    await visitor.open("/");
    await rowIn(live).getByText("/ · desktop", { exact: true }).waitFor();
    await rowIn(live).locator(".activity-state", { hasText: "Active" }).waitFor();
    await live.close();
  });

  it("come back after a restart before pusher-js would try again, and report again", async () => {
    await using stack = new AsyncDisposableStack();
    const withoutImports = guides.echo.file("echo.js").replace(/^import .*\n/gm, "");
    const project = stack.use(
      new GuideProject({
        ...guides.express.projectFiles,
        "public/echo.js": `${await Deno.readTextFile(echoLibrary)}\nEcho = Echo.default;`,
        "public/rollcall.min.js": await client.read("dist/rollcall.min.js"),
        "public/index.html": `<!doctype html>
          <script src="/pusher-js/pusher.min.js"></script>
          <script src="/echo.js"></script>
          <script>${withoutImports}</script>
          ${guides["client-package"].file("Without a bundler")}
          <script>
            const states = [];
            const { pusher } = window.Echo.connector;
            pusher.connection.bind("state_change", ({ current }) => states.push(current));
            rollcall(window.Echo).join("chart")
              .onCount((count) => console.log("count", count))
              .onUpdate(({ id, info }) => console.log("update", id, info.status));
          </script>`,
      }),
    );
    const server = stack.use(await GuideServer.node(project.folder, "server.mjs"));
    const visitor = stack.use(await Person.meet(harness.browser, server.origin));
    visitor.expectsConsoleErrors = true;
    admin.expectsConsoleErrors = true;
    const lines = new ConsoleLines(visitor);
    const live = await admin.open("/admin/online");
    const page = await visitor.open("/");
    const row = rowIn(live);
    await row.getByText("/ · desktop", { exact: true }).waitFor();
    await until(() => lines.further.some((line) => /^count [1-9]$/.test(line)), "it was told");
    const { origin, dataFolder } = harness.server;
    const { host, port } = new URL(origin);
    const library = new PusherServer({ ...app, host, useTLS: false });
    // The library writes the JSON, though its types ask for a text.
    const body = { user_info: { status: "away" } } as unknown as string;
    await library.post({ path: "/channels/presence-chart/users/7", body });
    await lines.shows("update 7 away");

    await keepPort(Number(port));
    await harness.server.stop();
    await page.evaluate(`history.pushState(null, "", "/meanwhile")`);
    const states = () => page.evaluate<string>("states.join()");
    await until(
      async () => (await states()).includes("connecting,disconnected,connecting"),
      "the client gave up an attempt for another",
    );
    harness.server = await Rollcall.start({ ...settings, PORT: port }, dataFolder);
    await until(async () => /,connected$/.test(await states()), "the client was back");
    await row.getByText("/meanwhile · desktop", { exact: true }).waitFor();
    await row.locator(".activity-state", { hasText: "Active" }).waitFor();
    await live.close();
  });
});
