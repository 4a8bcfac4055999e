import type { Browser, Page } from "playwright-core";
import { Person, seesLive, seesStatus } from "@/tests/fixtures/browser.ts";
import { makeEmbed, makeLink } from "@/tests/fixtures/admin_forms.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";

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
