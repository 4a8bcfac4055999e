import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { signWebhook } from "@/realtime/protocol/signature.ts";
import { changeSiteTag, makeSiteTag } from "../fixtures/admin_forms.ts";
import { launchBrowser, Person } from "../fixtures/browser.ts";
import { GuideServer } from "../fixtures/guides/guide_programs.ts";
import { GuideProject } from "../fixtures/guides/guide_project.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { documentedApp, publicSecret } from "./app_of_your_own.ts";
import { type CodeBlock, type CodeBlocks, nameOf } from "./code_blocks.ts";

/** The framework, in the place of the app that `laravel new` makes. */
const laravel = fileURLToPath(
  new URL("../fixtures/guides/laravel/framework.php", import.meta.url),
);

/** What of Laravel's folders has to be there. */
const emptyLaravel = {
  "config/app.php": "<?php return [];\n",
  "bootstrap/cache/.gitignore": "*\n",
  "public/.gitignore": "*\n",
  "storage/.gitignore": "*\n",
};

/** The files below a folder, by their paths there. */
function filesBelow(folder: string, below = ""): [path: string, text: string][] {
  return [...Deno.readDirSync(`${folder}/${below}`)].flatMap(({ name, isDirectory }) => {
    const path = below + name;
    return isDirectory
      ? filesBelow(folder, `${path}/`)
      : [[path, Deno.readTextFileSync(`${folder}/${path}`)] as [string, string]];
  });
}

/** Declares the tests of the tutorials: their folders are what their pages say, and they work. */
export function testTutorials(blocks: CodeBlocks): void {
  describe("the tutorials", () => {
    let server: Rollcall;
    let browser: Browser;
    let visitor: HttpVisitor;
    let admin: Person;
    let live: Page;

    beforeAll(async () => {
      server = await Rollcall.start({
        PUSHER_APP_ID: documentedApp.id,
        PUSHER_APP_KEY: documentedApp.key,
        PUSHER_APP_SECRET: documentedApp.secret,
        PRESENCE_GRACE_MS: "0",
        DRAIN_MS: "0",
      });
      visitor = new HttpVisitor(server.origin);
      await visitor.setUp(await server.setupToken(), ada);
      browser = await launchBrowser();
      admin = await Person.meet(browser, server.origin, { visitor });
      live = await admin.open("/admin/online");
    });
    afterAll(async () => {
      await admin?.[Symbol.asyncDispose]();
      await browser?.close();
      await server?.[Symbol.asyncDispose]();
    });

    /** The files of a folder, with the secret of the app, and the address of the server. */
    function projectOf(folder: string): Record<string, string> {
      const { port } = new URL(server.origin);
      return Object.fromEntries(
        filesBelow(folder).map(([path, text]) => [
          path === ".env.example" ? ".env" : path,
          text.replaceAll(publicSecret, documentedApp.secret)
            .replaceAll("localhost:8000", `127.0.0.1:${port}`)
            .replaceAll("HOST=localhost", "HOST=127.0.0.1")
            .replaceAll("PORT=8000", `PORT=${port}`),
        ]),
      );
    }

    /** Waits until the live view has a person in its list. */
    async function seesByName(name: string | RegExp): Promise<void> {
      await live.locator(".online-table tbody th a").getByText(name, { exact: true }).waitFor();
    }

    for (const name of ["laravel-app", "express-app", "any-site"]) {
      const folder = `docs/tutorials/${name}`;
      const shown: CodeBlock[] = blocks.takeTitled(`${folder}.md`);
      it(`${folder}.md shows each file of its folder as it is`, () => {
        const titles = shown.map(({ title }) => title);
        const files = new Map(filesBelow(folder));
        assert.deepEqual([...titles].sort(), [...files.keys()].sort());
        for (const block of shown) {
          assert.equal(block.text, files.get(block.title!), nameOf(block));
        }
      });
    }

    it("have a Laravel app's users in the list by name", async () => {
      const echo = blocks.all.find(({ path, text }) =>
        path === "docs/laravel.md" && text.includes('broadcaster: "reverb"')
      );
      await using project = new GuideProject({
        ...projectOf("docs/tutorials/laravel-app"),
        "resources/js/echo.js": echo!.text,
        ...emptyLaravel,
      });
      project.write("public/page.js", await project.bundle("resources/js/app.js"));
      await using app = await GuideServer.laravel(project.folder, laravel);
      await using grace = await Person.meet(browser, app.origin);
      const page = await grace.open("/");
      await page.getByRole("link", { name: "/as/Ada" }).waitFor();
      await page.goto(`${app.origin}/as/Grace`);
      await page.getByText("You are Grace.").waitFor();
      await seesByName("Grace");
      await live.getByText("grace@example.com").first().waitFor();
      await using alan = await Person.meet(browser, app.origin);
      await alan.open("/as/Alan");
      await page.getByText("2 online", { exact: true }).waitFor();
      await seesByName("Alan");
    });

    const admitting = blocks.take("docs/identify.md", "php", "viaRequest");

    it(`${nameOf(admitting)} lets a Laravel app's visitors join, each by an ID that stays`, async () => {
      await using project = new GuideProject({
        ...projectOf("docs/tutorials/laravel-app"),
        "routes/channels.php": `<?php\n\n${admitting.text}`,
        ...emptyLaravel,
      });
      await using app = await GuideServer.laravel(project.folder, laravel);
      const person = new HttpVisitor(app.origin);
      const member = async () => {
        const form = new URLSearchParams({ socket_id: "1.2", channel_name: "presence-chart" });
        const { status, text } = await person.send("POST", "/broadcasting/auth", form);
        assert.equal(status, 200, text);
        const { user_id, user_info } = JSON.parse(JSON.parse(text).channel_data);
        return [user_id, user_info.rollcall.name];
      };
      const [id, name] = await member();
      assert.match(id, /^visitor-\w{16}$/);
      assert.equal(name, "Visitor");
      assert.deepEqual(await member(), [id, name]);
      await person.get("/as/Grace");
      assert.equal((await member())[1], "Grace");
    });

    const receiving = blocks.take("docs/laravel-events.md", "php", "Route::post");

    it(`${nameOf(receiving)} accepts Rollcall's webhooks and refuses changed ones`, async () => {
      const { "routes/web.php": routes, ...files } = projectOf("docs/tutorials/laravel-app");
      await using project = new GuideProject({
        ...files,
        "routes/web.php": `${routes}\n${receiving.text}`,
        ...emptyLaravel,
      });
      await using app = await GuideServer.laravel(project.folder, laravel);
      const event = { name: "member_added", channel: "presence-chart", user_id: "7" };
      const signed = JSON.stringify({ time_ms: 1_700_000_000_000, events: [event] });
      const deliver = async (body: string, headers: Record<string, string> = {}) => {
        const response = await fetch(`${app.origin}/webhooks/pusher`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            // Debian's Laravel has no pages for errors here.
            "accept": "application/json",
            "x-pusher-key": documentedApp.key,
            "x-pusher-signature": signWebhook(documentedApp, signed),
            ...headers,
          },
          body,
        });
        await response.body?.cancel();
        return response.status;
      };
      assert.equal(await deliver(signed), 204);
      const log = await Deno.readTextFile(`${project.folder}/storage/logs/laravel.log`);
      assert.match(log, /INFO: member_added \{"channel":"presence-chart"\}/);
      assert.equal(await deliver(`${signed} `), 401);
      assert.equal(await deliver(signed, { "x-pusher-key": "another-key" }), 401);
      assert.equal(await deliver(signed, { "x-pusher-signature": "0".repeat(64) }), 401);
    });

    it("have an Express app's users in the list by name", async () => {
      await using project = new GuideProject(projectOf("docs/tutorials/express-app"));
      await using app = await GuideServer.node(project.folder, "--env-file=.env", "server.js");
      await using person = await Person.meet(browser, app.origin);
      const page = await person.open("/");
      await page.getByText("Choose who you are.").waitFor();
      await page.getByRole("button", { name: "I am Grace" }).click();
      await page.getByText("1 online", { exact: true }).waitFor();
      await seesByName("Grace Hopper");
      await live.getByText("grace@example.com").first().waitFor();
      await using other = await Person.meet(browser, app.origin);
      await (await other.open("/")).getByRole("button", { name: "I am Ada" }).click();
      await page.getByText("2 online", { exact: true }).waitFor();
      await seesByName("Ada Lovelace");
    });

    it("have the visitors of any site in the list as guests, with their page", async () => {
      const tag = await makeSiteTag(visitor);
      const files = new Map(Object.entries(projectOf("docs/tutorials/any-site")));
      const headers = { "content-type": "text/html; charset=utf-8" };
      const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
      await using site = Deno.serve(options, (request) => {
        const name = new URL(request.url).pathname.slice(1) || "index.html";
        const text = files.get(name)?.replaceAll("TOKEN", tag.token);
        return new Response(text, { status: text ? 200 : 404, headers });
      });
      const origin = `http://127.0.0.1:${site.addr.port}`;
      await changeSiteTag(visitor, tag, { origins: origin });
      await using person = await Person.meet(browser, origin);
      const page = await person.open("/");
      await page.getByText("1 here now", { exact: true }).waitFor();
      await seesByName(/^Guest [0-9a-f]{4}$/);
      await page.getByRole("link", { name: "Bread" }).click();
      await page.getByText("1 here, looking at bread").waitFor();
      await live.locator(".online-table").getByText("/bread.html").waitFor();
    });
  });
}
