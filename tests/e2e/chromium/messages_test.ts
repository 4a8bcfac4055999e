import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { Person } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { until } from "../../fixtures/eventually.ts";
import { it } from "../../fixtures/long_run.ts";
import { ben as benAccount, userId } from "../../fixtures/people.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("a message", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0", ADMIT_GUESTS: "true" }, {
    role: "user",
  });

  it("to one person appears on all pages of the person, and on no others", async () => {
    await using admin = await harness.meet(harness.ada);
    await using one = await harness.meet(harness.ben);
    await using other = await harness.meet(harness.cleo);
    let sockets = 0;
    one.context.on("page", (page) => page.on("websocket", () => sockets++));
    const tabs = [await openListening(one, "/"), await openListening(one, "/")];
    await openListening(other, "/");
    const page = await openListening(
      admin,
      `/admin/people/${await userId(harness.ada, benAccount)}`,
    );
    await write(page, "The meeting has moved to room 7.");
    for (const tab of tabs) {
      const toast = tab.getByRole("status", { name: "Messages" }).locator(".toast");
      await toast.waitFor();
      assert.match(
        await toast.innerText(),
        /^Ada\s+\d{1,2}:\d\d.*\s+The meeting has moved to room 7\./,
      );
    }
    await page.getByText("Message sent.").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
    assert.equal(sockets, 2, "no page has a second connection");

    const all = await openListening(admin, "/admin/messages");
    await write(all, "To all.");
    assert.deepEqual(await texts(other.page, 1), ["To all."]);
    assert.deepEqual(await texts(page, 1), ["To all."], "another tab of the sender");
    assert.equal(await all.locator(".toast").count(), 0, "not the page that it was sent from");
  });

  it.inLongRun("that is refused stays in the form, with the reason", async () => {
    await using admin = await harness.meet(harness.ada);
    admin.expectsConsoleErrors = true;
    await using one = await harness.meet(harness.ben);
    await openListening(one, "/");
    const page = await admin.open(`/admin/people/${await userId(harness.ada, benAccount)}`);
    await one.page.close();
    await page.locator("#person .badge", { hasText: "Offline" }).waitFor();
    await write(page, "Are you there?");
    await page.getByText("Messages can only be sent to people online.").waitFor();
    assert.equal(
      await page.getByRole("textbox", { name: "Message" }).inputValue(),
      "Are you there?",
    );
  });

  it.inLongRun("is dismissed by keyboard, and the focus returns to where it was", async () => {
    await using reader = await harness.meet(harness.ben);
    const page = await openListening(reader, "/");
    await harness.ada.submit("/admin/messages", { text: "First" });
    await harness.ada.submit("/admin/messages", { text: "Second" });
    await texts(page, 2);
    const origin = page.getByRole("button", { name: /^Your menu, / });
    await origin.focus();
    const dismiss = page.getByRole("button", { name: "Dismiss message from Ada" });
    await until(async () => {
      await page.keyboard.press("Tab");
      return await dismiss.first().evaluate((button) => button === document.activeElement);
    }, "the Tab key had led to the message");
    await page.keyboard.press("Enter");
    assert.deepEqual(await texts(page, 1), ["Second"]);
    await origin.focus();
    await dismiss.focus();
    await page.keyboard.press("Escape");
    await texts(page, 0);
    assert.ok(await origin.evaluate((button) => button === document.activeElement));
  });

  it.inLongRun("stays while the pointer is on it, and then times out", async () => {
    await using reader = await harness.meet(harness.ben);
    await reader.context.clock.install();
    const page = await openListening(reader, "/");
    await harness.ada.submit("/admin/messages", { text: "Hi" });
    await texts(page, 1);
    await page.locator(".toast").hover();
    await page.clock.fastForward(20_000);
    await texts(page, 1);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(2_000);
    await texts(page, 1);
    await page.clock.fastForward(10_000);
    await texts(page, 0);
  });

  it.inLongRun("stays while the reader looks at another page", async () => {
    await using reader = await harness.meet(harness.ben);
    await reader.context.clock.install();
    const page = await openListening(reader, "/");
    const turn = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await turn(true);
    await harness.ada.submit("/admin/messages", { text: "Hi" });
    await texts(page, 1);
    await page.clock.fastForward(60_000);
    await texts(page, 1);
    await turn(false);
    await page.clock.runFor(1_000);
    await page.clock.fastForward(12_000);
    await texts(page, 0);
  });

  it.inLongRun("is shown as text, and of four the newest three are shown", async () => {
    await using reader = await harness.meet();
    const page = await openListening(reader, "/");
    const markup = `<img src=x onerror="document.title='run'"><script>alert(1)</script>`;
    for (const text of ["1", "2", "3", markup]) {
      await harness.ada.submit("/admin/messages", { text });
    }
    await page.getByText(markup, { exact: true }).waitFor();
    assert.deepEqual(await texts(page, 3), ["2", "3", markup]);
    assert.equal(await page.locator(".toasts img, .toasts script").count(), 0);
  });
});

/** Opens a page and waits until it hears of messages: it is in both channels by then. */
async function openListening(person: Person, path: string): Promise<Page> {
  const listening = new Promise<void>((resolve) => {
    person.context.once("page", (page) => {
      page.on("websocket", (socket) => {
        socket.on("framereceived", ({ payload }) => {
          const { event, channel } = JSON.parse(String(payload));
          if (!/^private-rollcall\.users\./.test(channel ?? "")) return;
          if (event === "pusher_internal:subscription_succeeded") resolve();
        });
      });
    });
  });
  const page = await person.open(path);
  await withTimeout(listening, "the page had joined the channel of its user");
  await page.waitForSelector('[data-status="live"]');
  return page;
}

/** Writes a message, and confirms one to everyone. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send message" }).click();
  if (!page.url().endsWith("/admin/messages")) return;
  await page.getByRole("alertdialog").getByRole("button", { name: "Send message" }).click();
}

/** The messages on the screen, once there are `count`. */
async function texts(page: Page, count: number): Promise<string[]> {
  await page.waitForFunction(
    (expected) => document.querySelectorAll(".toast").length === expected,
    count,
  );
  return await page.locator(".toast-text").allTextContents();
}
