import { launchBrowser, Person, seesLive } from "../fixtures/browser.ts";
import { moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { takeWallboard } from "./wallboard.ts";

/**
 * `deno task screenshots`: every screen in light and dark, at 390, 768 and 1280 px, in the folder
 * `screenshots`, to be looked at.
 */
const folder = "screenshots";
const widths = [390, 768, 1280];
const schemes = ["light", "dark"] as const;
const screens = {
  home: "/",
  online: "/admin/online",
  log: "/admin/log",
  users: "/admin/users",
  settings: "/admin/settings",
  missing: "/nowhere",
};

await Deno.mkdir(folder, { recursive: true });
await using server = await Rollcall.start();
const setUpToken = await server.setUpToken();
const browser = await launchBrowser();

/** Takes the pictures of one page. */
async function take(person: Person, name: string, path: string): Promise<void> {
  const page = await person.open(path);
  if (path === "/" || path === "/admin/online") await seesLive(page, 3);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(0))));
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
  }
}

{
  await using stranger = await Person.meet(browser, server.origin);
  await take(stranger, "setup", `/setup?token=${setUpToken}`);
  await take(stranger, "sign-in", "/sign-in");
}
const [ada, ...others] = await moveIn(server);
for (const visitor of others) {
  await (await Person.meet(browser, server.origin, { visitor })).open("/");
}
await using admin = await Person.meet(browser, server.origin, { visitor: ada });
for (const [name, path] of Object.entries(screens)) await take(admin, name, path);
await takeWallboard(browser, ada, folder);
await browser.close();
