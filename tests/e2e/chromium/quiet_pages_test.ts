import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
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
    await ada.submit(`/admin/users/${await userId(ada, ben)}/role`, { role: "admin" });
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
