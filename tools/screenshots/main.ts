import type { Page } from "playwright-core";
import { inviteLink, makeEmbed, resetLink } from "@/tests/fixtures/admin_forms.ts";
import { launchBrowser, Person, seesLive, seesStatus } from "@/tests/fixtures/browser.ts";
import { ben, moveIn, userId } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { takeCheck, takeCounted, takeServers } from "./installations.ts";
import { takeDocuments, takeLiveView } from "./live_view.ts";
import { takeWallboard } from "./wallboard.ts";

/**
 * `deno task screenshots`: every screen in light and dark, at 390, 768, 1280 and 1920 px, in the folder
 * `screenshots`, to be looked at. With `docs`: the
 * pictures of the live view in the documents, in `docs/pictures`.
 */
const folder = "screenshots";
const widths = [390, 768, 1280, 1920];
const schemes = ["light", "dark"] as const;
const screens = {
  home: "/",
  online: "/admin/online",
  activity: "/admin/activity",
  channels: "/admin/channels",
  channel: "/admin/channels/channel?app=shop&name=presence-chart",
  account: "/account",
  messages: "/admin/messages",
  audit: "/admin/activity/admins",
  connect: "/admin/settings/connect",
  alerts: "/admin/settings/alerts",
  displays: "/admin/settings/displays",
  team: "/admin/settings/team",
  server: "/admin/settings/server",
  missing: "/nowhere",
};

if (Deno.args[0] === "docs") {
  const browser = await launchBrowser();
  await takeDocuments(browser);
  await browser.close();
  Deno.exit();
}

await Deno.mkdir(folder, { recursive: true });
await using server = await Rollcall.start({ PUSHER_APP_ID: "shop" });
const setupToken = await server.setupToken();
const browser = await launchBrowser();

/** Takes the pictures of one page. */
async function take(person: Person, name: string, path: string, users = 3): Promise<void> {
  const page = await person.open(path);
  if (path === "/" || path === "/admin/online") await seesLive(page, users);
  await takeShown(page, name);
  if (page !== person.page) await page.close();
}

/** Takes the pictures of what a page shows. */
async function takeShown(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(0))));
      const path = `${folder}/${name}-${width}-${colorScheme}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }
}

{
  await using stranger = await Person.meet(browser, server.origin);
  await take(stranger, "setup", `/setup?token=${setupToken}`);
  await take(stranger, "sign-in", "/sign-in");
}
const [ada, ...others] = await moveIn(server);
const readers: Person[] = [];
for (const visitor of others) {
  const reader = await Person.meet(browser, server.origin, { visitor });
  await reader.open("/");
  readers.push(reader);
}
await using admin = await Person.meet(browser, server.origin, { visitor: ada });
// One of the pages is missing, which browsers log as an error.
admin.expectsConsoleErrors = true;
for (const [name, path] of Object.entries(screens)) await take(admin, name, path);
await take(admin, "embed", `/admin/settings/embeds/${(await makeEmbed(ada)).id}`);
{
  const benId = await userId(ada, ben);
  await take(admin, "person", `/admin/people/${benId}`);
  await take(admin, "user", `/admin/settings/team/${benId}`);
  await using invited = await Person.meet(browser, server.origin);
  await take(invited, "invitation", await inviteLink(ada));
  await take(invited, "new-password", await resetLink(ada, benId));
  await admin.page.goto(`/admin/people/${benId}`);
  await admin.page.getByRole("button", { name: "Disconnect and block" }).click();
  await takeShown(admin.page, "confirm");
  const [reader] = readers;
  for (const text of ["Coffee is ready.", "The server restarts at noon; nothing is lost."]) {
    await ada.submit(`/admin/people/${benId}/message`, { text });
  }
  await reader.page.locator(".toast").nth(1).waitFor();
  await takeShown(reader.page, "toast");
  await ada.submit(`/admin/people/${benId}/disconnect`, {});
  await seesStatus(reader.page, "refused");
  await takeShown(reader.page, "disconnected");
  await seesLive(await reader.open("/"), 3);
}
await takeLiveView(browser, takeShown);
await takeCounted(browser, takeShown);
await takeCheck(browser, takeShown);
await takeServers(browser, takeShown);
await takeWallboard(browser, ada, folder);
await browser.close();
