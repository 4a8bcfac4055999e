import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { seesList, seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { makeLink } from "../../fixtures/admin_forms.ts";

const englishDate = /^[A-Z][a-z]{2} \d{1,2}, \d{4}, /;

/** Languages of browsers: German, which Rollcall speaks, and one in whose place it speaks English. */
const locales = [
  {
    locale: "de-DE",
    clock: "24-hour",
    time: /^\d\d:\d\d:\d\d$/,
    date: /^\d{1,2}\.\d{1,2}\.\d{4}, /,
    heading: "Letzte Aktivität",
    joined: "Gekommen",
    grouped: "12.345",
  },
  {
    locale: "ar-EG",
    clock: "12-hour",
    time: /^\d{1,2}:\d\d:\d\d\s[AP]M$/,
    date: englishDate,
    heading: "Recent activity",
    joined: "Joined",
    grouped: "12,345",
  },
];

describe("pages in a browser with another language", () => {
  const harness = BrowserHarness.ofGroup();

  for (const { locale, clock, time, date, heading, joined, grouped } of locales) {
    const meet = () => harness.meet(harness.ada, { locale, timezoneId: "Asia/Kathmandu" });

    it(`have a ${clock} clock in German or English on the live view and in the log, for ${locale}`, async () => {
      await using person = await meet();
      const page = await person.open("/admin/online");
      await seesLive(page, 1);
      await seesList(page);
      await page.locator(".ticker time").first().waitFor();
      const texts = page.locator(".ticker time");
      await page.waitForFunction(() => !document.querySelector("main")?.innerText.includes("UTC"));
      assert.ok(await texts.count() >= 1);
      for (const text of await texts.allInnerTexts()) assert.match(text, time);
      const title = await page.locator(".online-table time").first().getAttribute("title") ?? "";
      assert.match(title, date);
      assert.match(title.replace(date, ""), time);
      isLatin(await page.locator("body").innerText(), heading);

      await page.goto("/admin/activity");
      await page.waitForFunction(() =>
        document.querySelector(".activity-table time")?.textContent?.includes("UTC") === false
      );
      const entry = await page.locator(".activity-table time").first().innerText();
      assert.match(entry, date);
      assert.match(entry.replace(date, ""), time);
      isLatin(await page.locator("body").innerText(), joined);
    });

    it(`group a number on a wallboard in its language, or in English, for ${locale}`, async () => {
      const { path } = await makeLink(harness.ada);
      await using person = await meet();
      const page = await person.context.newPage();
      await page.routeWebSocket(/\/app\//, (socket) => {
        socket.connectToServer().onMessage((message) =>
          socket.send(
            String(message).replace(/users\\":\d+,\\"connections\\":\d+/, () =>
              `users\\":12345,\\"connections\\":1000`),
          )
        );
      });
      await page.goto(path);
      await seesStatus(page, "live");
      assert.equal(await page.locator(".wallboard-number").innerText(), grouped);
      assert.match(
        await page.locator(".wallboard-foot").innerText(),
        /^1[.,]000 (?:tabs|Tabs)/,
      );
    });
  }
});

function isLatin(text: string, known: string): void {
  assert.ok(text.includes(known), text);
  assert.doesNotMatch(text, /[^\p{Script=Latin}\p{Script=Common}]/u);
}
