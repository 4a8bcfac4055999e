import type { Browser, Page } from "playwright-core";
import { AppClient } from "@/tests/fixtures/member_sockets.ts";
import { Person, seesLive, seesStatus } from "@/tests/fixtures/browser.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { makeEmbed, makeLink } from "@/tests/fixtures/admin_forms.ts";
import {
  type Faults,
  FaultyProxy,
  isUpgrade,
  removeHeader,
} from "@/tests/fixtures/faulty_proxy.ts";

const own = { id: "4711", key: "key-of-the-shop", secret: "a-secret-of-the-shop-alone" };
const desk = { id: "4712", key: "key-of-the-desk", secret: "a-secret-of-the-desk-alone" };
const names = ["Ann Ek", "Bo Lind", "Çem Şahin", "Dörte Groß", "Eva Ruiz", "Fay Okoro", "Guy Roy"];

/** Each screen with the number of users that it shows. */
const screens = {
  online: ["/admin/online", 4],
  channel: ["/admin/online?channel=presence-orders", 5],
  elsewhere: ["/admin/online?channel=4712%2Fpresence-support", 7],
  activity: ["/admin/activity", 4],
  settings: ["/admin/settings/alerts?channel=presence-orders", 4],
} as const;

/** Takes the pictures of an installation that counts several channels. */
export async function takeCounted(
  browser: Browser,
  takeShown: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await using server = await Rollcall.start({
    APPS: JSON.stringify([own, desk]),
    COUNTED_CHANNELS: "presence-orders 4712/presence-support",
  });
  const [ada] = await moveIn(server);
  await using clients = new AsyncDisposableStack();
  for (const [index, name] of names.entries()) {
    const channels = [
      [own, "presence-chart"],
      [own, "presence-orders"],
      [desk, "presence-support"],
    ] as const;
    for (const [app, channel] of channels.slice(index % 3)) {
      const client = clients.use(await AppClient.connect(server, app));
      await client.join(channel, { user_id: String(index), rollcall: { name } });
    }
  }
  await using admin = await Person.meet(browser, server.origin, { visitor: ada });
  for (const [name, [path, users]] of Object.entries(screens)) {
    const page = await admin.open(path);
    await seesLive(page, users);
    await takeShown(page, `counted-${name}`);
  }
}

/** Shows one of several servers: when all is well, while one is missing, and while numbers are stale. */
export async function takeServers(
  browser: Browser,
  takeShown: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await using server = await Rollcall.start({}, undefined, "tests/fixtures/app_of_servers.ts");
  const change = async (state: object) => {
    const body = JSON.stringify(state);
    await (await fetch(`${server.origin}/servers`, { method: "POST", body })).text();
  };
  const [ada, ben] = await moveIn(server);
  const { path } = await makeLink(ada);
  const embed = await makeEmbed(ada);
  await using admin = await Person.meet(browser, server.origin, { visitor: ada });
  await using visitor = await Person.meet(browser, server.origin, { visitor: ben });
  await using wall = await Person.meet(browser, server.origin);
  const live = await admin.open("/admin/online");
  const home = await visitor.open("/");
  const board = await wall.open(path);
  for (const page of [live, home, board]) await seesLive(page, 2);
  await takeShown(live, "servers-online");
  await change({ alive: { alive: 2, known: 3 } });
  await live.locator(".notice-warning").waitFor();
  await takeShown(live, "servers-missing");
  await change({ staleSince: Date.now() - 50_000, alive: { alive: 3, known: 3 } });
  for (const page of [live, home, board]) await seesStatus(page, "stale");
  await live.locator("#servers .notice-warning").waitFor();
  await takeShown(live, "servers-stale");
  await takeShown(home, "servers-home");
  await takeShown(board, "servers-wallboard");
  await takeShown(await wall.open(embed.page), "servers-embed");
}

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
    const page = await admin.open("/admin/settings/server");
    await page.getByRole("button", { name: "Run check" }).click();
    await page.waitForURL("**/admin/settings/check");
    await takeShown(page, name);
    delete faults.request;
  }
}
