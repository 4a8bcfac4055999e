import { launchBrowser, Person, seesLive } from "../fixtures/browser.ts";
import { MemberSockets } from "../fixtures/member_sockets.ts";
import { moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { takeWallboard } from "./wallboard.ts";

/**
 * `deno task screenshots`: every screen in light and dark, at 390, 768 and 1440 px, in the folder
 * `screenshots`, to be looked at.
 */
const folder = "screenshots";
const widths = [390, 768, 1440];
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
/** Crowds of which the live view is taken too. */
const crowds = [12, 500];
const app = { id: "4711", key: "a-key-of-the-pictures", secret: "a-secret-of-the-pictures" };
await using server = await Rollcall.start({
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
});
const setUpToken = await server.setUpToken();
const browser = await launchBrowser();

/** Takes the pictures of one page. */
async function take(person: Person, name: string, path: string, users = 3): Promise<void> {
  const page = await person.open(path);
  if (path === "/" || path === "/admin/online") await seesLive(page, users);
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
  await take(stranger, "setup", `/setup?token=${setUpToken}`);
  await take(stranger, "sign-in", "/sign-in");
}
const [ada, ...others] = await moveIn(server);
for (const visitor of others) {
  await (await Person.meet(browser, server.origin, { visitor })).open("/");
}
await using admin = await Person.meet(browser, server.origin, { visitor: ada });
// One of the pages is missing, which browsers log as an error.
admin.expectsConsoleErrors = true;
for (const [name, path] of Object.entries(screens)) await take(admin, name, path);
{
  await using members = new MemberSockets(server, app);
  let joined = 0;
  for (const size of crowds) {
    while (joined < size) await members.join(`demo-${++joined}`);
    await take(admin, `online-${size}`, "/admin/online", 3 + size);
  }
}
await takeWallboard(browser, ada, folder);
await browser.close();
