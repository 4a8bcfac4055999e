import { strict as assert } from "node:assert";
import { beforeAll, describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { makeToken } from "../../fixtures/admin_forms.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { recordHistory } from "../../fixtures/database_contents.ts";
import { it } from "../../fixtures/long_run.ts";
import { moveIn } from "../../fixtures/people.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const environment = { DRAIN_MS: "0", PRESENCE_GRACE_MS: "0" };

/**
 * Twenty minutes with nine users and more, then a gap of ten, then twenty with fewer. It is known of the first twenty
 * how many guests were among the users.
 */
const past = [
  ...Array<number>(19).fill(9),
  12,
  ...Array<null>(10).fill(null),
  ...Array<number>(19).fill(6),
  // As many as return after the start, so that the count goes on with them.
  1,
];

const pastGuests = Array<number>(20).fill(7);

describe("the history on the live view", () => {
  const harness = BrowserHarness.ofGroup(environment);

  beforeAll(async () => {
    await startAgain((stopped) => recordHistory(stopped, past, pastGuests));
  });

  /** Stops the server and starts it on the same address and data. */
  async function startAgain(meanwhile: (stopped: Rollcall) => Promise<void>): Promise<void> {
    const { port } = new URL(harness.server.origin);
    await keepPort(Number(port));
    await harness.server.stop();
    await meanwhile(harness.server);
    harness.server = await Rollcall.start(
      { ...environment, PORT: port },
      harness.server.dataFolder,
    );
  }

  const meet = (options: Parameters<typeof Person.meet>[2] = {}) =>
    harness.meet(harness.ada, { reducedMotion: "reduce", ...options });

  it("is drawn with its gap, and has a text alternative", async () => {
    await using person = await meet({ timezoneId: noonZone() });
    const page = await person.open("/admin/online");
    const drawn = await seesLine(page);
    assert.ok(isDrawn(drawn, 0.25) && isDrawn(drawn, 0.75), "the line is there before and after");
    assert.ok(!isDrawn(drawn, 0.51), "nothing is drawn in the gap");
    await seesText(page, "now 1,");
    const words = await chartText(page);
    assert.match(
      words,
      /, last hour \(per minute\): now 1, highest 12 \(5 users, 7 guests\) at .*, lowest 1\./,
    );
    assert.match(words, /No data from/);
    assert.match(
      await page.locator(".history-peak").innerText(),
      /^12 at \d/,
    );
  });

  it.inLongRun("has users and guests apart where they are known, at a point and in the table", async () => {
    await using person = await meet();
    const page = await person.open("/admin/online");
    await seesLine(page);
    await page.getByText("(per minute); dashed: active; dotted: guests").waitFor();
    await page.getByText(/^Record: 12 on /).waitFor();
    const slider = page.getByRole("slider", { name: "Time" });
    await slider.focus();
    const readings: string[] = [];
    for (let step = 0; step < 60; step++) {
      readings.push((await slider.getAttribute("aria-valuetext")) ?? "");
      await page.keyboard.press("ArrowLeft");
    }
    const read = (pattern: RegExp) => readings.filter((text) => pattern.test(text)).length;
    assert.ok(read(/: 9 \(2 users, 7 guests\)/) >= 15, readings.join("\n"));
    assert.equal(read(/: 12 \(5 users, 7 guests\)/), 1);
    assert.ok(read(/: 6 users/) >= 15, "older minutes claim no guests");
    await page.getByText("Show as table").click();
    const table = page.locator("#history table");
    assert.match(await table.innerText(), /\s12 \(5 users, 7 guests\)\s+12\s/);
    assert.match(await table.innerText(), /\s6\s+6\s/);
  });

  it("shows another range without a reload, and keeps it in the address", async () => {
    await using person = await meet();
    const page = await person.open("/admin/online?q=a");
    await seesLive(page, 1);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await page.getByRole("link", { name: "24 h", exact: true }).click();
    await page.getByText("per 15 minutes").waitFor();
    assert.equal(await page.evaluate(() => "isSamePage" in globalThis), true);
    assert.equal(new URL(page.url()).search, "?q=a&range=day");
    assert.equal(
      await page.getByRole("navigation", { name: "History range" }).locator('[aria-current="true"]')
        .innerText(),
      "24 h",
    );
    await page.getByRole("link", { name: "a week earlier" }).click();
    await page.waitForURL("**/admin/online?q=a&range=day&compare=week");
    await page.reload();
    await page.getByText("per 15 minutes").waitFor();
    const compared = page.getByRole("navigation", { name: "Compare with" });
    assert.equal(await compared.locator('[aria-current="true"]').innerText(), "a week earlier");
  });

  it.inLongRun("is read at a point, with the pointer and with the keyboard", async () => {
    await using person = await meet();
    const page = await person.open("/admin/online?compare=day");
    await seesLine(page);
    await seesText(page, "now 1,");
    const slider = page.getByRole("slider", { name: "Time" });
    const reading = page.locator(".history-reading");
    const cursor = page.locator(".history-cursor");
    await cursor.hover();
    await reading.getByText("a day earlier").waitFor();
    const { width = 0 } = await cursor.boundingBox() ?? {};
    await cursor.hover({ position: { x: width - 6, y: 60 } });
    await reading.getByText(/: [\d–]+ users?/).waitFor();
    await reading.getByText("a day earlier: No data").waitFor();
    await page.mouse.move(0, 0);
    await reading.waitFor({ state: "detached" });
    await slider.focus();
    await page.keyboard.press("Home");
    assert.equal(await slider.inputValue(), "0");
    assert.match(
      await slider.getAttribute("aria-valuetext") ?? "",
      /^\d.*: No data; a day earlier: No data$/,
    );
    await page.keyboard.press("End");
    assert.match(
      await slider.getAttribute("aria-valuetext") ?? "",
      /: [\d–]+ users?(, \d active)?; a day earlier/,
    );
  });

  it("has its times and its day in the reader's own zone", async () => {
    await using person = await meet({ timezoneId: "Asia/Kathmandu", locale: "en-GB" });
    const [asked] = await Promise.all([
      person.context.waitForEvent(
        "request",
        (request) => request.url().includes("/admin/online/history"),
      ),
      person.open("/admin/online"),
    ]);
    const midnight = Number(new URL(asked.url()).searchParams.get("midnight"));
    const form = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Asia/Kathmandu",
      timeStyle: "short",
    });
    assert.equal(form.format(midnight), "00:00");
    const { page } = person;
    await page.getByText("Show as table").click();
    const now = form.format(Math.floor(Date.now() / 60_000) * 60_000);
    const minuteAgo = form.format(Math.floor(Date.now() / 60_000) * 60_000 - 60_000);
    const first = await page.locator("#history tbody th").first().innerText();
    assert.ok([now, minuteAgo].includes(first), first);
  });

  it.inLongRun("is a table without script, and its ranges are links", async () => {
    await using person = await meet({ javaScriptEnabled: false });
    const page = await person.open("/admin/online");
    await page.getByText("Show as table").click();
    const table = page.locator("#history table");
    assert.match(await table.innerText(), /No data until .*UTC/);
    assert.match(await table.innerText(), /UTC\s+12 \(5 users, 7 guests\)\s+12/);
    assert.equal(await page.locator("#history canvas").isVisible(), false);
    await page.getByRole("link", { name: "30 d" }).click();
    assert.match(await page.locator("#history").innerText(), /Peak today: \d+.* at \d\d:\d\d UTC/);
    assert.equal(new URL(page.url()).search, "?range=month");
  });

  it("has what happened, at a point, in the table and without script, and leads to all days", async () => {
    const { token } = await makeToken(harness.ada, { name: "Deploys", scope: "marks" });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const at = new Date(Date.now() - 25 * 60_000).toISOString();
    const mark = JSON.stringify({ text: "Deployed 4.2.0", at });
    await new HttpVisitor(harness.server.origin).send("POST", "/api/v1/marks", mark, headers);
    await using person = await meet();
    const page = await person.open("/admin/online");
    await seesLine(page);
    const slider = page.getByRole("slider", { name: "Time" });
    await slider.focus();
    const marked = async () =>
      (await slider.getAttribute("aria-valuetext"))?.endsWith("; Deployed 4.2.0");
    for (let step = 0; step < 60 && !await marked(); step++) await page.keyboard.press("ArrowLeft");
    await page.locator(".history-reading").getByText("Deployed 4.2.0").waitFor();
    await page.getByText("Show as table").click();
    await page.locator("#history tbody").getByText("Deployed 4.2.0").waitFor();
    await page.locator("#history").getByRole("link", { name: "All days" }).click();
    await page.getByRole("heading", { name: "Numbers over time" }).waitFor();
    await using reader = await meet({ javaScriptEnabled: false });
    const plain = await reader.open("/admin/online");
    await plain.getByText("Show as table").click();
    await plain.locator("#history tbody").getByText("Deployed 4.2.0").waitFor();
  });

  it("is kept over a reload, and shows a restart as a gap", async () => {
    await using person = await meet();
    person.expectsConsoleErrors = true;
    const page = await person.open("/admin/online");
    await seesLive(page, 1);
    await page.reload();
    assert.match(await chartText(page), /highest 12/);
    await seesLive(page, 1);
    await startAgain(async (stopped) => {
      await seesStatus(page, "reconnecting");
      await recordHistory(stopped, [...past, 20], pastGuests);
    });
    // The page asks again by itself when it is back.
    await seesText(page, "highest 20");
  });
});

describe("the history of a new server", () => {
  it("says that it is collecting data", async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    for (let attempt = 1;; attempt++) {
      const start = minute();
      await using server = await Rollcall.start();
      const [ada] = await moveIn(server);
      const { text } = await ada.get("/admin/online");
      // A minute that ended meanwhile is data: the next server has another one.
      if (minute() !== start && attempt < 5) continue;
      assert.match(text, /Collecting data…/);
      return;
    }
  });
});

/** A zone in which it is noon, so that the last hours are of the same day. */
function noonZone(): string {
  const hoursAhead = 12 - new Date().getUTCHours();
  // Etc/GMT-3 is three hours ahead of UTC.
  return `Etc/GMT${hoursAhead < 0 ? "+" : "-"}${Math.abs(hoursAhead)}`;
}

/** Waits until the chart's text alternative has these words. */
async function seesText(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    (expected) => document.querySelector("#history canvas")?.ariaLabel?.includes(expected),
    words,
  );
}

function chartText(page: Page): Promise<string> {
  return page.locator("#history canvas").getAttribute("aria-label").then((words) => words ?? "");
}

/** Waits until the line is drawn; answers for each column of the canvas whether the line is in it. */
async function seesLine(page: Page): Promise<boolean[]> {
  return await eventually(async () => {
    const columns = await page.evaluate(lineColumns);
    return columns.includes(true) ? columns : undefined;
  }, "the line of the history was drawn");
}

/** Whether the line is drawn near a part of the chart's width. */
function isDrawn(columns: boolean[], part: number): boolean {
  const at = Math.round(columns.length * part);
  return columns.slice(at - 3, at + 3).includes(true);
}

/** Runs in the page. The line is the only green thing on the canvas. */
function lineColumns(): boolean[] {
  const canvas = document.querySelector<HTMLCanvasElement>("#history canvas");
  const context = canvas?.getContext("2d");
  if (!canvas || !context || canvas.width === 0) return [];
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: width }, (_, x) => {
    for (let y = 0; y < height; y++) {
      const [red, green, , alpha] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4);
      if (alpha > 128 && green > red + 40) return true;
    }
    return false;
  });
}
