import { strict as assert } from "node:assert";
import { beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { Person, recordNumbers, seesLive, shownNumbers } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";

describe("the number of users online, in real browsers", () => {
  // A page may take longer than the default grace to return on a busy machine.
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "15000" });
  let people: Person[];

  beforeAll(async () => {
    const meet = async (visitor: HttpVisitor) => harness.use(await harness.meet(visitor));
    people = await Promise.all(harness.visitors.map(meet));
  });

  beforeEach(async () => {
    for (const [index, person] of people.entries()) {
      // Who only takes part has the page that loads in half of the time.
      const path = index === 0 ? "/admin/online" : "/";
      if (!person.hasPage) await person.open(path);
      else if (new URL(person.page.url()).pathname !== path) await person.page.goto(path);
    }
    for (const person of people) await seesLive(person.page, 3);
  });

  it("three users and a second tab of one of them are three", async () => {
    const [first] = people;
    await recordNumbers(people[1].page);
    const tab = await first.open("/admin/online");
    await seesLive(tab, 3);
    await tab.close();
    const another = await first.open("/admin/online");
    assert.deepEqual(await shownNumbers(people[1].page), ["3"]);
    await another.close();
  });

  it("a reload changes no number on other pages", async () => {
    const [first, second] = people;
    await recordNumbers(second.page);
    await first.page.reload();
    assert.equal(await first.page.locator(".online-number").textContent(), "3");
    await seesLive(first.page, 3);
    // The number that changes next is the proof that nothing changed before.
    await people[2].page.close();
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
    await people[2].page.close();
    await seesLive(second.page, 2);
    assert.deepEqual(await shownNumbers(second.page), ["3", "2"]);
    await tab.close();
  });

  it("every kind of page counts its user", async () => {
    const [first, second] = people;
    await recordNumbers(second.page);
    for (const path of ["/", "/admin/online", "/admin/settings/team"]) {
      await first.page.goto(path);
      await seesLive(first.page, 3);
    }
    assert.deepEqual(await shownNumbers(second.page), ["3"]);
  });
});
