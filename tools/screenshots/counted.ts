import type { Browser, Page } from "playwright-core";
import { AppClient } from "@/tests/fixtures/member_sockets.ts";
import { Person, seesLive } from "@/tests/fixtures/browser.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";

const own = { id: "4711", key: "key-of-the-shop", secret: "a-secret-of-the-shop-alone" };
const desk = { id: "4712", key: "key-of-the-desk", secret: "a-secret-of-the-desk-alone" };
const names = ["Ann Ek", "Bo Lind", "Çem Şahin", "Dörte Groß", "Eva Ruiz", "Fay Okoro", "Guy Roy"];

/** Each screen with the number of users that it shows. */
const screens = {
  online: ["/admin/online", 4],
  channel: ["/admin/online?channel=presence-orders", 5],
  elsewhere: ["/admin/online?channel=4712%2Fpresence-support", 7],
  activity: ["/admin/activity", 4],
  settings: ["/admin/settings?channel=presence-orders", 4],
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
