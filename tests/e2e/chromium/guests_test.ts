import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("with ADMIT_GUESTS", () => {
  it("a guest counts as one user, from the first page on, even if that is an error page", async () => {
    await using server = await Rollcall.start({ ADMIT_GUESTS: "true" });
    const [ada] = await moveIn(server);
    const browser = await launchBrowser();
    try {
      await using admin = await Person.meet(browser, server.origin, { visitor: ada });
      await using guest = await Person.meet(browser, server.origin);
      await admin.open("/admin/online");
      guest.expectsConsoleErrors = true;
      await guest.open("/nowhere");
      await seesLive(guest.page, 2);
      await seesLive(await guest.open("/"), 2);
      await seesLive(admin.page, 2);
      await guest.page.getByRole("link", { name: "Sign in" }).click();
      await guest.page.waitForURL("**/sign-in");
      await guest.page.getByRole("button", { name: "Sign in" }).waitFor();
      assert.equal(
        await guest.page.locator(".users-count").count(),
        0,
        "no number while signing in",
      );
    } finally {
      await browser.close();
    }
  });
});
