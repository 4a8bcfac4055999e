import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { Person, seesStatus } from "@/tests/fixtures/browser.ts";
import type { HttpVisitor } from "@/tests/fixtures/http_visitor.ts";

/** Windows of a telephone, a tablet, a laptop and a screen on a wall. */
const windows = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];

const counts = [1, 42, 12_345, 123_456];

/** Takes the pictures of the wallboard: with few and many users, live, outdated and revoked. */
export async function takeWallboard(
  browser: Browser,
  admin: HttpVisitor,
  folder: string,
): Promise<void> {
  const path = await makeLink(admin);
  for (const users of counts) {
    await using wall = await Wall.open(browser, admin.origin, path, users);
    await take(wall.page, `${folder}/wallboard-${users}`);
  }
  await using outdated = await Wall.open(browser, admin.origin, path, 42);
  await using revoked = await Wall.open(browser, admin.origin, path, 42);
  await outdated.cut();
  await seesStatus(outdated.page, "outdated");
  await take(outdated.page, `${folder}/wallboard-outdated`);
  await revokeLink(admin);
  await revoked.page.getByText("This link has been revoked").waitFor();
  await take(revoked.page, `${folder}/wallboard-revoked`);
}

/** Makes a link, as an admin does on the settings page; resolves with its path. */
async function makeLink(admin: HttpVisitor): Promise<string> {
  await admin.get("/admin/settings/displays");
  const { text } = await admin.submit("/admin/settings/wallboards", { name: "Lobby" });
  return text.match(/\/wallboard\/[A-Za-z0-9_-]{43}/)?.[0] ?? "";
}

async function revokeLink(admin: HttpVisitor): Promise<void> {
  const { text } = await admin.get("/admin/settings/displays");
  const [path] = text.match(/\/admin\/settings\/wallboards\/\w+\/revoke/) ?? [""];
  await admin.submit(path, { confirmed: "yes" });
}

/** A wallboard that receives this number of users instead of the server's. */
class Wall implements AsyncDisposable {
  #socket: WebSocketRoute | undefined;
  #isCut = false;

  private constructor(readonly person: Person, readonly page: Page, readonly users: number) {}

  static async open(browser: Browser, origin: string, path: string, users: number): Promise<Wall> {
    const person = await Person.meet(browser, origin);
    person.expectsConsoleErrors = true;
    const wall = new Wall(person, await person.context.newPage(), users);
    await wall.page.routeWebSocket(/\/app\//, (socket) => wall.#connect(socket));
    await wall.page.goto(path);
    await seesStatus(wall.page, "live");
    return wall;
  }

  #connect(socket: WebSocketRoute): void {
    if (this.#isCut) return;
    this.#socket = socket;
    socket.connectToServer().onMessage((message) => {
      const text = String(message).replace(/users\\":\d+/, `users\\":${this.users}`)
        .replace(/connections\\":\d+/, `connections\\":${Math.round(this.users * 1.4)}`);
      socket.send(text);
    });
  }

  /** Ends the connection and refuses new ones. */
  async cut(): Promise<void> {
    this.#isCut = true;
    await this.#socket?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.person[Symbol.asyncDispose]();
  }
}

async function take(page: Page, name: string): Promise<void> {
  for (const size of windows) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(0))));
      await page.screenshot({ path: `${name}-${size.width}-${colorScheme}.png` });
    }
  }
}
