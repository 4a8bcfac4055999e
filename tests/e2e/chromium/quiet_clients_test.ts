import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import {
  launchBrowser,
  Person,
  recordNumbers,
  seesLive,
  shownNumbers,
} from "../../fixtures/browser.ts";
import { until } from "../../fixtures/eventually.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests" };
const pushers = ["pusher-js-4", "pusher-js-5", "pusher-js-6", "pusher-js-7", "pusher-js"];
const echos = ["laravel-echo-1", "laravel-echo"];

describe("a quiet member in a browser", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
  }, { role: null });

  for (const pusher of pushers) {
    for (const echo of echos) {
      it(`with ${pusher} and ${echo} is itself in here, and is sent the number`, async () => {
        await using members = new MemberSockets(harness.server, app);
        await members.join("bob");
        const page = await harness.browser.newPage();
        const errors: string[] = [];
        page.on("pageerror", ({ message }) => errors.push(message));
        page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
        await page.exposeFunction("signQuiet", signQuiet);
        await page.addScriptTag({ path: fileOf(pusher, "web/pusher.js") });
        await page.addScriptTag({ path: fileOf(echo, "echo.iife.js") });
        await page.evaluate(joinInPage, {
          port: Number(new URL(harness.server.origin).port),
          key: app.key,
        });
        await sees(page, [["ann"], 2]);
        await members.join("cem");
        await sees(page, [["ann"], 2, 3]);
        await members.leave("cem");
        await sees(page, [["ann"], 2, 3, 2]);
        assert.deepEqual(errors, []);
        await page.close();
      });
    }
  }
});

/** A file of the folder `dist` of a package. */
function fileOf(name: string, file: string): string {
  const [folder] = fileURLToPath(import.meta.resolve(name)).split("/dist/");
  return `${folder}/dist/${file}`;
}

/** What the app's server signs for Ann, a quiet member. */
function signQuiet(socketId: string, channel: string): { auth: string; channel_data: string } {
  const member = { user_id: "ann", user_info: { id: "ann" }, rollcall: { quiet: true } };
  const data = JSON.stringify(member);
  return { auth: signChannel(app, socketId, channel, data), channel_data: data };
}

/** Runs in the page: joins, and keeps what Echo calls back with in `seen`. */
function joinInPage({ port, key }: { port: number; key: string }): void {
  // deno-lint-ignore no-explicit-any -- the libraries of the page, whose versions differ in their types
  const { Pusher, Echo, signQuiet } = globalThis as any;
  const seen: unknown[] = [];
  Object.assign(globalThis, { seen });
  const fail = (event: string) => (data: unknown) => seen.push([event, data]);
  const client = new Pusher(key, {
    cluster: "self",
    wsHost: "localhost",
    wsPort: port,
    forceTLS: false,
    disableStats: true,
    enabledTransports: ["ws"],
    authorizer: ({ name }: { name: string }) => ({
      authorize: (socketId: string, answer: (error: unknown, data: unknown) => void) =>
        signQuiet(socketId, name).then((data: unknown) => answer(null, data)),
    }),
  });
  client.connection.bind("error", fail("error"));
  const EchoClass = Echo.default ?? Echo;
  new EchoClass({ broadcaster: "pusher", key, client }).join("chart")
    .here((members: { id: string }[]) => seen.push(members.map(({ id }) => id)))
    .listen(".rollcall:count", ({ users }: { users: number }) => seen.push(users))
    .joining(fail("joining"))
    .leaving(fail("leaving"))
    .error(fail("refused"));
}

/** Waits until Echo has called back with these. */
async function sees(page: Page, expected: unknown[]): Promise<void> {
  const shown = JSON.stringify(expected);
  await page.waitForFunction(
    (text) => JSON.stringify(Reflect.get(globalThis, "seen")) === text,
    shown,
    { timeout: 20_000 },
  );
}

describe("pages of readers who are no admins", () => {
  let server: Rollcall;
  let browser: Browser;
  let visitors: HttpVisitor[];

  beforeAll(async () => {
    // A page may take longer than the default grace to return on a busy machine.
    server = await Rollcall.start({ PRESENCE_GRACE_MS: "5000", ADMIT_GUESTS: "true" });
    browser = await launchBrowser();
    visitors = await moveIn(server, "user");
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  const meet = (visitor?: HttpVisitor) => Person.meet(browser, server.origin, { visitor });

  it("show the number and are never told who is online, until the reader becomes an admin", async () => {
    const [ada, reader, other] = visitors;
    await using admin = await meet(ada);
    await using user = await meet(reader);
    await using guest = await meet();
    await seesLive(await admin.open("/admin/online"), 1);
    const page = await user.context.newPage();
    const events = receivedEvents(page);
    await page.goto("/");
    await seesLive(page, 2);
    const guestsPage = await guest.context.newPage();
    const guestsEvents = receivedEvents(guestsPage);
    await guestsPage.goto("/");
    await seesLive(guestsPage, 3);
    await seesLive(page, 3);
    await seesLive(admin.page, 3);
    assert.deepEqual(membership(events), ["1 listed"]);
    assert.deepEqual(membership(guestsEvents), ["1 listed"]);

    await recordNumbers(admin.page);
    await ada.submit(`/admin/settings/team/${await userId(ada, ben)}/role`, { role: "admin" });
    await until(() => membership(events).includes("3 listed"), "the reader was told who is online");
    await using another = await meet(other);
    await seesLive(await another.open("/"), 4);
    await seesLive(page, 4);
    await seesLive(admin.page, 4);
    assert.deepEqual(membership(events), ["1 listed", "3 listed", "added"]);
    assert.deepEqual(membership(guestsEvents), ["1 listed"]);
    assert.deepEqual(await shownNumbers(admin.page), ["3", "4"], "others saw nothing of it");
  });
});

/** What the server sends to a page from now on, as it comes. */
function receivedEvents(page: Page): { event: string; data: string }[] {
  const events: { event: string; data: string }[] = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => events.push(JSON.parse(String(payload))));
  });
  return events;
}

/** Which of the events say who is online. */
function membership(events: { event: string; data: string }[]): string[] {
  return events.flatMap(({ event, data }) => {
    if (event === "pusher_internal:member_added") return ["added"];
    if (event === "pusher_internal:member_removed") return ["removed"];
    const isList = event === "pusher_internal:subscription_succeeded" && data.includes("presence");
    return isList ? [`${JSON.parse(data).presence.count} listed`] : [];
  });
}
