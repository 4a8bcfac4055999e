import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { AdmittedSocket } from "../fixtures/admitted_socket.ts";
import { launchBrowser, Person } from "../fixtures/browser.ts";
import { until } from "../fixtures/eventually.ts";
import { startPostgres } from "../fixtures/postgres.ts";
import { programCommand } from "../fixtures/program.ts";
import { startRedis } from "../fixtures/redis.ts";
import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { AppOfYourOwn, documentedApp, readdressed } from "./app_of_your_own.ts";
import { type CodeBlock, type CodeBlocks, nameOf } from "./code_blocks.ts";
import { lintPhp, runPhp, Shell } from "./shell.ts";

/** The settings of a server for the documented app. */
const settings = {
  PUSHER_APP_ID: documentedApp.id,
  PUSHER_APP_KEY: documentedApp.key,
  PUSHER_APP_SECRET: documentedApp.secret,
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
};

/** Sends nothing, and remembers to whom. */
type Notify = (token: string, ids: string[], send: (id: string) => void) => Promise<void>;

/** Declares the tests of the recipes' blocks. */
export function testRecipes(blocks: CodeBlocks): void {
  describe("the recipe of a push only if the user is offline", () => {
    const take = (language: string, part: string) =>
      blocks.take("docs/recipes/push-if-offline.md", language, part);
    const made = take("sh", "token create");
    const [node, php] = [take("js", "notify("), take("php", "notifyAway(")];

    it(`${nameOf(php)} passes php -l`, () => lintPhp(php.text));

    it(`${nameOf(made)}, ${nameOf(node)} and ${nameOf(php)} send to who is offline, and to all when Rollcall does not answer`, async () => {
      await using shell = await Shell.open();
      await using server = await Rollcall.start(settings);
      await using _ann = await AdmittedSocket.joinAs(server, documentedApp, "ann");
      const printed = await shell.run(made.text, { DATA_DIR: server.dataFolder });
      const [token] = printed.match(/rollcall_[\w-]{43}/) ?? assert.fail(printed);
      const sentBy = async (address: string) => {
        const module = `data:text/javascript,${
          encodeURIComponent(readdressed(node.text, address))
        }`;
        const { notify } = await import(module) as { notify: Notify };
        const sent: string[] = [];
        await notify(token, ["ann", "bob"], (id) => sent.push(id));
        const print = `notifyAway('${token}', ['ann', 'bob'], fn ($id) => print("$id "));`;
        const byPhp = await runPhp(readdressed(php.text, address), print);
        return [sent, byPhp.trim().split(" ")];
      };
      assert.deepEqual(await sentBy(server.origin), [["bob"], ["bob"]]);
      const nothing = `http://127.0.0.1:${await reservePort()}`;
      assert.deepEqual(await sentBy(nothing), [["ann", "bob"], ["ann", "bob"]]);
    });
  });

  describe("the recipe of online dots", () => {
    const take = (language: string, part: string) =>
      blocks.take("docs/recipes/online-dots.md", language, part);
    const [names, style] = [take("html", "<span"), take("html", "<style>")];
    const dots = take("js", "showDots");

    it(`${nameOf(names)}, ${nameOf(style)} and ${nameOf(dots)} turn a dot green and grey`, async () => {
      await using server = await Rollcall.start(settings);
      const { port } = new URL(server.origin);
      const script = `import Pusher from "pusher-js";
        document.body.innerHTML = ${JSON.stringify(names.text + style.text)};
        const pusher = new Pusher("${documentedApp.key}", { cluster: "self", wsHost: "127.0.0.1",
          wsPort: ${port}, forceTLS: false, enabledTransports: ["ws"],
          channelAuthorization: { endpoint: "/auth" } });
        ${dots.text}`;
      await using app = new AppOfYourOwn({ names: script }, {
        authorizeChannel: async (request) => {
          const form = new URLSearchParams(await request.text());
          const channelData = JSON.stringify({ user_id: "1", user_info: {} });
          const auth = signChannel(
            documentedApp,
            form.get("socket_id")!,
            form.get("channel_name")!,
            channelData,
          );
          return Response.json({ auth, channel_data: channelData });
        },
        authenticateUser: () => Promise.resolve(new Response(null, { status: 403 })),
      });
      const browser = await launchBrowser();
      try {
        await using person = await Person.meet(browser, app.origin);
        const page = await person.open("/names");
        const grace = page.getByText("Grace");
        const color = () =>
          grace.evaluate((element) => getComputedStyle(element, "::before").color);
        await grace.waitFor();
        assert.equal(await color(), "rgb(187, 187, 187)");
        {
          await using _grace = await AdmittedSocket.joinAs(server, documentedApp, "7");
          await page.locator("[data-user].online").waitFor();
          assert.equal(await color(), "rgb(34, 170, 34)");
        }
        await page.locator("[data-user]:not(.online)").waitFor();
      } finally {
        await browser.close();
      }
    });
  });

  describe("the recipe of three servers", () => {
    const path = "docs/recipes/one-to-three-servers.md";
    const take = (part: string) => blocks.take(path, "sh", part);
    const [backup, moved, asked] = [take("rollcall backup"), take("migrate"), take("curl")];
    const starts = ["PORT=8000", "PORT=8001", "PORT=8002"].map(take);

    it("moves what one server had to three that know each other", async () => {
      await using stack = new AsyncDisposableStack();
      const shell = stack.use(await Shell.open());
      const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
      stack.defer(() => redis.stop());
      stack.defer(() => postgres.stop());
      const first = stack.use(await Rollcall.start({ DRAIN_MS: "0" }));
      const place = { DATA_DIR: first.dataFolder };
      await shell.run('rollcall user add ada@example.com --name "Ada" --role admin', place);
      await shell.run(backup.text, place);
      await first.stop();

      const documented = blocks.all.find((block) =>
        block.path === path && block.language === "dotenv"
      );
      const variables = parseEnv(documented?.text ?? "") as Record<string, string>;
      const database = await postgres.createDatabase();
      const ports = [await reservePort(), await reservePort(), await reservePort()];
      const here = ({ text }: CodeBlock) =>
        ports.reduce((all, port, index) => all.replaceAll(`800${index}`, String(port)), text)
          .replaceAll(variables.DATABASE_URL, database);
      assert.match(await shell.run(here(moved), place), /to PostgreSQL: \d+ rows in \d+ tables/);
      const environment = {
        ...variables,
        DATABASE_URL: database,
        REDIS_URL: `redis://127.0.0.1:${redis.port}`,
        METRICS_TOKEN: "a-token-of-the-tests",
        DRAIN_MS: "0",
      };
      // A signal has to reach the program, and not the script that stands for it.
      const program = programCommand(["serve"]).join(" ");
      for (const start of starts) {
        stack.use(await shell.serve(here(start).replace("rollcall serve", program), environment));
      }
      const known = async () => {
        const answer = await fetch(`http://127.0.0.1:${ports[0]}/metrics`, {
          headers: { authorization: `Bearer ${environment.METRICS_TOKEN}` },
        });
        return /^rollcall_servers 3$/m.test(await answer.text());
      };
      await until(known, "the first server knew of three");
      assert.equal(await shell.run(here(asked), environment), "up\nup\nup\n");
      assert.match(await shell.run("rollcall user list", environment), /ada@example\.com +Ada/);
    });
  });
}
