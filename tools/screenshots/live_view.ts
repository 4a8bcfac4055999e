import type { Browser, Page } from "playwright-core";
import { Person, seesLive, seesStatus } from "@/tests/fixtures/browser.ts";
import type { HttpVisitor } from "@/tests/fixtures/http_visitor.ts";
import { MemberSockets } from "@/tests/fixtures/member_sockets.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { recordHistory } from "@/tests/fixtures/database_contents.ts";
import { keepPort } from "@/tests/fixtures/reserved_port.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { shopper } from "@/server/demo/demo_people.ts";

const app = { id: "4711", key: "a-key-of-the-pictures", secret: "a-secret-of-the-pictures" };

/** How many users come back after the start. */
const expected = 48;

/** How many users are in the pictures of a crowd. */
const crowd = 500;

/** Shows the live view after a start, with some users and with a crowd. */
export async function takeLiveView(
  browser: Browser,
  takeShown: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const [server, visitor] = await startWithHistory();
  await using _ = server;
  await using admin = await Person.meet(browser, server.origin, { visitor });
  await using members = new MemberSockets(server, app);
  await join(members, 0, 17);
  const page = await admin.open("/admin/online");
  await seesStatus(page, "recovering");
  await takeShown(page, "online-recovering");
  await join(members, 17, expected);
  await seesLive(page, expected + 1);
  await takeShown(page, "online-48");
  await join(members, expected, crowd);
  await seesLive(page, crowd + 1);
  await takeShown(page, "online-500");
}

/** Takes the pictures of the documents. */
export async function takeDocuments(browser: Browser): Promise<void> {
  const folder = "docs/pictures";
  await Deno.mkdir(folder, { recursive: true });
  const [server, visitor] = await startWithHistory();
  await using _ = server;
  await using admin = await Person.meet(browser, server.origin, {
    visitor,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  await using members = new MemberSockets(server, app);
  await join(members, 0, 17);
  const page = await admin.open("/admin/online");
  await seesStatus(page, "recovering");
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${folder}/live-view-recovering.png` });
  await join(members, 17, expected);
  await seesLive(page, expected + 1);
  await members.leave("4003", "4011");
  await join(members, expected, expected + 2);
  await page.locator("#ticker li", { hasText: "Left" }).nth(1).waitFor();
  await page.screenshot({ path: `${folder}/live-view.png`, fullPage: true });
  await page.getByRole("link", { name: "24 h" }).click();
  await page.getByRole("link", { name: "a day earlier" }).click();
  await page.locator(".history-cursor").hover();
  await page.locator(".history-reading").waitFor();
  await page.screenshot({ path: `${folder}/live-view-history.png` });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${folder}/live-view-phone.png` });
}

async function join(members: MemberSockets, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) await members.join(shopper(index));
}

/** A server that has counted for two days, and was stopped a moment ago. */
async function startWithHistory(): Promise<[Rollcall, HttpVisitor]> {
  const environment = { PUSHER_APP_KEY: app.key, PUSHER_APP_SECRET: app.secret, DRAIN_MS: "0" };
  const first = await Rollcall.start(environment);
  const [visitor] = await moveIn(first);
  const { port } = new URL(first.origin);
  await keepPort(Number(port));
  await first.stop();
  await recordHistory(first, twoDays());
  return [await Rollcall.start({ ...environment, PORT: port }, first.dataFolder), visitor];
}

/** Users in each minute, with a day's course. */
function twoDays(): number[] {
  const minutes = 2 * 24 * 60;
  return Array.from({ length: minutes }, (_, minute) => {
    const course = Math.cos((minutes - minute) / (24 * 60) * 2 * Math.PI);
    const restless = Math.sin(minute / 7) + Math.sin(minute / 17) + Math.sin(minute / 97) * 2;
    const grown = minute / minutes * 6;
    return Math.round(expected - 21 + course * 14 + grown + restless);
  });
}
