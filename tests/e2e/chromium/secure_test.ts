import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { selfSignedCertificate } from "../../fixtures/certificates.ts";
import { ada } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("over https, with its own certificate", () => {
  it("pages and sockets are encrypted, and cookies stay on secure connections", async () => {
    const certificate = await selfSignedCertificate();
    await using server = await Rollcall.start({
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
      PRESENCE_GRACE_MS: "0",
    });
    assert.match(server.origin, /^https:/);
    const browser = await launchBrowser();
    try {
      const options = { ignoreHTTPSErrors: true };
      await using first = await Person.meet(browser, server.origin, options);
      await createAdmin(first, await server.setupToken());
      const socketAddress = new Promise<string>((found) =>
        first.page.on("websocket", (socket) => found(socket.url()))
      );
      await first.page.goto("/admin/online");
      assert.match(await withTimeout(socketAddress, "the page had opened a socket"), /^wss:/);
      await seesLive(first.page, 1);

      await using second = await Person.meet(browser, server.origin, options);
      await second.signIn(ada, "/");
      await seesLive(second.page, 1);
      for (const cookie of await first.context.cookies()) {
        assert.ok(cookie.secure && cookie.httpOnly && cookie.sameSite === "Lax", cookie.name);
      }
    } finally {
      await browser.close();
      await certificate.remove();
    }
  });
});

async function createAdmin(person: Person, token: string): Promise<void> {
  const page = await person.open(`/setup?token=${token}`);
  await page.getByLabel("Name").fill(ada.name);
  await page.getByLabel("Email").fill(ada.email);
  await page.getByLabel("Password").fill(ada.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/admin/online");
}
