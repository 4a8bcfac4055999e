import { strict as assert } from "node:assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { seesLive } from "../../fixtures/browser.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { key: "a-key-of-the-tests", secret: "s".repeat(20) };

/** What runs, breaks out of its place or breaks the page, where it is taken for more than text. */
const attacks = [
  `<img src=x onerror=alert(1)>`,
  `"><script>alert(1)</script>`,
  `</script><script>alert(1)</script>`,
  `' autofocus onfocus=alert(1) x='`,
  `<!--<script>alert(1)`,
  "javascript:alert(1)",
];

describe("untrusted text", () => {
  const harness = BrowserHarness.ofGroup(
    { PUSHER_APP_KEY: app.key, PUSHER_APP_SECRET: app.secret },
    { role: "user" },
  );

  const mallories: HttpVisitor[] = [];
  const ids: string[] = [];

  beforeAll(async () => {
    for (const [index, name] of attacks.entries()) {
      const account = { ...benAccount, name, email: `m${index}@example.com` };
      await harness.ada.submit("/admin/settings/team", {
        ...account,
        role: index < 2 ? "admin" : "user",
      });
      ids.push(await userId(harness.ada, account));
      if (index < 2) mallories.push(new HttpVisitor(harness.server.origin));
      await mallories[index]?.signIn(account);
      await mallories[index]?.submit("/admin/online/counted", { counted: "yes" });
    }
  });

  /** Fails at the end when a script ran, or the content policy had to keep one from it. */
  async function watched() {
    const person = await harness.meet(harness.ada);
    const dialogs: string[] = [];
    person.context.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    return {
      person,
      async [Symbol.asyncDispose]() {
        await person[Symbol.asyncDispose]();
        assert.deepEqual(dialogs, []);
      },
    };
  }

  it("in a name is shown as text on every page, in live lists, dialogs and messages", async () => {
    await using foreigners = await joinAll(harness.server, attacks);
    await using visit = await watched();
    const { person } = visit;
    const online = await person.open("/admin/online");
    await seesLive(online, attacks.length + 1);
    for (const name of attacks) await sees(online, name);
    await using mallory = await harness.meet(mallories[0]);
    await mallory.open("/");
    await seesLive(online, attacks.length + 2);
    for (
      const path of [
        "/admin/settings/team",
        "/admin/activity",
        "/admin/activity/admins",
        "/admin/messages",
      ]
    ) {
      const page = await person.open(path);
      await seesLive(page, attacks.length + 2);
      if (path !== "/admin/messages" && path !== "/admin/activity") {
        for (const name of attacks) await sees(page, name);
      }
    }
    const page = await person.open("/admin/settings/server");
    for (const [index, id] of [...ids, ...attacks].entries()) {
      await page.goto(`/admin/people/${encodeURIComponent(id)}`);
      assert.equal(await page.locator("h1").innerText(), attacks[index % attacks.length]);
      assert.match(await page.title(), / · Rollcall$/);
      await page.getByRole("button", { name: /^Disconnect/ }).first().click();
      const question = await page.getByRole("alertdialog").getByRole("heading").innerText();
      assert.ok(question.includes(attacks[index % attacks.length]), question);
    }
    assert.equal(foreigners.sockets.length, attacks.length);
  });

  it("in a message is shown as text", async () => {
    await using visit = await watched();
    const page = await visit.person.open("/");
    await seesLive(page, 1);
    for (const [index, text] of attacks.entries()) {
      await mallories[index % 2].submit("/admin/messages", { text });
      await page.locator(".toast-text").getByText(text, { exact: true }).waitFor();
      await page.locator(".toast").last().getByText(attacks[index % 2], { exact: true }).first()
        .waitFor();
    }
    const log = await visit.person.open("/admin/activity/admins");
    for (const text of attacks) {
      await log.getByText(`Text ${text}`, { exact: true }).first().waitFor();
    }
  });

  it("in an address is shown as text or not at all", async () => {
    await using visit = await watched();
    const page = await visit.person.open("/");
    const goTo = async (path: string, names: string[], values: string[]) => {
      const query = names.map((name, index) => [name, values[index % values.length]]);
      await page.goto(`${path}?${new URLSearchParams(query)}`);
      await seesLive(page, 1);
    };
    const names = ["q", "page", "sort", "done", "problem", "user", "who", "range"];
    for (const attack of attacks) {
      await goTo("/admin/online", names, [attack]);
      await goTo("/admin/activity/admins", ["actor", "action", "target", "before"], [attack]);
      await goTo("/admin/settings/team", names, [attack]);
      assert.equal(await page.getByRole("searchbox").inputValue(), attack);
    }
    // These show no part of their address, so that they take several attacks at a time.
    for (const path of ["/", "/admin/messages", `/admin/people/${ids[0]}`]) {
      for (const values of [attacks, attacks.toReversed()]) await goTo(path, names, values);
    }
  });
});

/** Whether the page shows the text, as text. */
async function sees(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

async function joinAll(server: Rollcall, userIds: string[]) {
  const sockets = await Promise.all(userIds.map((id) => AdmittedSocket.joinAs(server, app, id)));
  return {
    sockets,
    async [Symbol.asyncDispose]() {
      await Promise.all(sockets.map((socket) => socket.close()));
    },
  };
}
