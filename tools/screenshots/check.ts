import type { Browser, Page } from "playwright-core";
import { Person } from "@/tests/fixtures/browser.ts";
import {
  type Faults,
  FaultyProxy,
  isUpgrade,
  removeHeader,
} from "@/tests/fixtures/faulty_proxy.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";

/** Shows the check of a public address behind a proxy that takes no sockets, and once it is repaired. */
export async function takeCheck(
  browser: Browser,
  takeShown: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const faults: Faults = {
    request: (head) => isUpgrade(head) ? removeHeader(head, "upgrade") : undefined,
  };
  await using proxy = await FaultyProxy.to("http://127.0.0.1:1", faults);
  await using server = await Rollcall.start({ APP_URL: proxy.origin });
  proxy.target = await server.listening();
  const [visitor] = await moveIn(server);
  await using admin = await Person.meet(browser, server.origin, { visitor });
  // Browsers log the sockets that the proxy refuses as errors.
  admin.expectsConsoleErrors = true;
  for (const name of ["check-failed", "check-passed"]) {
    const page = await admin.open("/admin/settings");
    await page.getByRole("button", { name: "Run check" }).click();
    await page.waitForURL("**/admin/settings/check");
    await takeShown(page, name);
    delete faults.request;
  }
}
