import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("deno task crowd", () => {
  it("connects the given number of demo users, who leave when it ends", async () => {
    await using server = await Rollcall.start();
    const [ada] = await moveIn(server);
    const browser = await launchBrowser();
    const crowd = new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "crowd", "5"],
      env: { PORT: new URL(server.origin).port, DATA_DIR: server.dataFolder },
      stdout: "null",
    }).spawn();
    try {
      await using admin = await Person.meet(browser, server.origin, { visitor: ada });
      await admin.open("/admin/online");
      await seesLive(admin.page, 6);
      crowd.kill("SIGINT");
      await seesLive(admin.page, 1);
      await withTimeout(crowd.status, "the crowd had left");
    } finally {
      await crowd[Symbol.asyncDispose]();
      await browser.close();
    }
  });
});
