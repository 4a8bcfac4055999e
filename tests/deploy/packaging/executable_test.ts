import { strict as assert } from "node:assert";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { EmptyRoot } from "../../fixtures/empty_root.ts";
import { commit } from "@/server/observability/commit.ts";
import { ada } from "../../fixtures/people.ts";
import { rawAnswer } from "../../fixtures/http_visitor.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const ignore = !(await EmptyRoot.isPossible());

describe("the executable, on a machine with nothing installed", { ignore }, () => {
  let machine: EmptyRoot;
  let start: () => Promise<Rollcall>;

  beforeAll(async () => {
    machine = await EmptyRoot.make();
    await machine.makeFolder("/opt/programs");
    await packageRollcall(`${machine.folder}/opt/programs/rollcall`);
    await machine.makeFolder("/home/somebody", { owned: true });
    await machine.makeFolder("/srv/rollcall", { owned: true });
    await machine.write("/srv/rollcall/.env", "HOST=127.0.0.1\nPORT=0\nDRAIN_MS=0\n");
    // Files that Deno would read by default.
    for (const folder of ["", "/home/somebody", "/srv/rollcall"]) {
      await machine.write(`${folder}/deno.json`, "{ not JSON");
      await machine.write(`${folder}/package.json`, `{ "type": "commonjs" }`);
    }
    const command = machine.command(["/opt/programs/rollcall", "serve"], {
      workingFolder: "/srv/rollcall",
      environment: { HOME: "/home/somebody" },
    });
    start = () => Rollcall.startCommand(command);
  });
  afterAll(() => machine[Symbol.asyncDispose]());

  it("serves setup, sign-in and the live number in a browser", async () => {
    await using server = await start();
    const browser = await launchBrowser();
    try {
      await using person = await Person.meet(browser, server.origin);
      const page = await person.open(`/setup?token=${await server.setupToken()}`);
      await page.getByLabel("Name").fill(ada.name);
      await page.getByLabel("Email").fill(ada.email);
      await page.getByLabel("Password").fill(ada.password);
      await page.getByRole("button", { name: "Create" }).click();
      await page.waitForURL("**/admin/online");
      await seesLive(page, 1);
      const styles = await rawAnswer(`${server.origin}/pages.css`, { "accept-encoding": "br" });
      assert.equal(styles.headers["content-encoding"], "br");
      assert.match(brotliDecompressSync(styles.body).toString(), /color-scheme/);
      await page.goto("/docs/proxies");
      await page.getByRole("link", { name: "nginx.conf" }).first().waitFor();
      await page.getByRole("searchbox").fill("trusted_proxies");
      await page.getByRole("link", { name: "Settings: TRUSTED_PROXIES" }).waitFor();
      const text = await rawAnswer(`${server.origin}/docs/settings.md`, {
        "accept-encoding": "br",
      });
      assert.match(brotliDecompressSync(text.body).toString(), /^# Settings\n/);
    } finally {
      await browser.close();
    }
  });

  it("starts again with its data, answers, and stops on SIGTERM", async () => {
    const server = await start();
    const up = await fetch(`${server.origin}/up`);
    assert.equal(await up.text(), "up\n");
    const { code } = await server.stop();
    assert.equal(code, 0);
    assert.match(server.log, /Stopped/);
    assert.ok(server.log.includes(`commit=${commit}`), "it knows the commit that it was made of");
    assert.doesNotMatch(server.log, /setup\?token/);
    const kept = await Deno.stat(`${machine.folder}/srv/rollcall/data/secrets.json`);
    assert.equal(kept.mode! & 0o777, 0o600);
  });
});

/** Packages the executable from the pages as built; other tests use these at the same time. */
export async function packageRollcall(output: string): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "package", "--built", "--output", output],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(300_000),
  }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr) + decoder.decode(stdout));
  console.log(decoder.decode(stdout).trim());
}
