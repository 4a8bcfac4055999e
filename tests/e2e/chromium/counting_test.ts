import { strict as assert } from "node:assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import type { Browser } from "playwright-core";
import {
  launchBrowser,
  Person,
  recordNumbers,
  seesLive,
  shownNumbers,
} from "../../fixtures/browser.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the number of users online, in real browsers", () => {
  let server: Rollcall;
  let browser: Browser;
  let visitors: HttpVisitor[];
  let people: Person[];

  beforeAll(async () => {
    server = await Rollcall.start({ PRESENCE_GRACE_MS: "1500" });
    browser = await launchBrowser();
    visitors = await moveIn(server);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    people = [];
    for (const visitor of visitors) {
      const person = await Person.meet(browser, server.origin, { visitor });
      people.push(person);
      // Who only takes part has the page that loads in half of the time.
      await person.open(people.length === 1 ? "/admin/online" : "/");
    }
    for (const person of people) await seesLive(person.page, 3);
  });
  afterEach(async () => {
    for (const person of people) await person[Symbol.asyncDispose]();
  });

  it("three users and a second tab of one of them are three", async () => {
    const [first] = people;
    await recordNumbers(people[1].page);
    const tab = await first.open("/admin/online");
    await seesLive(tab, 3);
    await tab.close();
    await first.open("/admin/online");
    assert.deepEqual(await shownNumbers(people[1].page), ["3"]);
  });

  it("a reload changes no number on other pages", async () => {
    const [first, second] = people;
    await recordNumbers(second.page);
    await first.page.reload();
    assert.equal(await first.page.locator(".online-number").textContent(), "3");
    await seesLive(first.page, 3);
    // The number that changes next is the proof that nothing changed before.
    await people[2].context.close();
    await seesLive(second.page, 2);
    assert.deepEqual(await shownNumbers(second.page), ["3", "2"]);
  });

  it("closing a page removes its user, opening one adds the user again", async () => {
    const [first, second, third] = people;
    await third.page.close();
    await seesLive(first.page, 2);
    await seesLive(second.page, 2);
    const tab = await third.open("/");
    await seesLive(tab, 3);
    await seesLive(first.page, 3);
  });

  it("a user leaves only with the last tab", async () => {
    const [first, second] = people;
    const tab = await first.open("/admin/online");
    await seesLive(tab, 3);
    await recordNumbers(second.page);
    await first.page.close();
    await people[2].context.close();
    await seesLive(second.page, 2);
    assert.deepEqual(await shownNumbers(second.page), ["3", "2"]);
  });

  it("every kind of page counts its user", async () => {
    const [first, second] = people;
    await recordNumbers(second.page);
    for (const path of ["/", "/admin/online", "/admin/users"]) {
      await first.page.goto(path);
      await seesLive(first.page, 3);
    }
    assert.deepEqual(await shownNumbers(second.page), ["3"]);
  });
});
