import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const application = {
  PUSHER_APP_ID: "4711",
  PUSHER_APP_KEY: "a-key-of-the-tests",
  PUSHER_APP_SECRET: "a-secret-of-the-tests-alone",
};

describe("with PUSHER_HOST set", () => {
  it("pages connect to it, and the auth routes sign for it", async () => {
    await using hosted = await Rollcall.start({ ...application });
    await using app = await Rollcall.start({
      ...application,
      PUSHER_HOST: "127.0.0.1",
      PUSHER_PORT: new URL(hosted.origin).port,
      PUSHER_SCHEME: "http",
    });
    const [ada, ben] = await moveIn(app);
    const [elsewhere] = await moveIn(hosted);
    const browser = await launchBrowser();
    try {
      await using first = await Person.meet(browser, app.origin, { visitor: ada });
      await using second = await Person.meet(browser, app.origin, { visitor: ben });
      await using third = await Person.meet(browser, hosted.origin, { visitor: elsewhere });
      const sockets: string[] = [];
      first.context.on("page", (page) => {
        page.on("websocket", (socket) => sockets.push(new URL(socket.url()).host));
      });
      await first.open("/admin/online");
      await seesLive(first.page, 1);
      assert.deepEqual(sockets, [`127.0.0.1:${new URL(hosted.origin).port}`]);
      await second.open("/admin/online");
      await third.open("/admin/online");
      for (const { page } of [first, second, third]) await seesLive(page, 3);
    } finally {
      await browser.close();
    }
  });
});

describe("with a hosted cluster set", () => {
  it("the page has the cluster, may connect to it, and shows no unknown number", async () => {
    await using app = await Rollcall.start({ ...application, PUSHER_APP_CLUSTER: "eu" });
    const [ada] = await moveIn(app);
    const visitor = new HttpVisitor(app.origin);
    for (const [name, value] of ada.cookies) visitor.cookies.set(name, value);
    const { text, headers } = await visitor.get("/admin/online");
    // The props of islands may keep values apart from names.
    assert.match(text, /"cluster\b/);
    assert.match(text, /"eu\b/);
    assert.doesNotMatch(text, /wsHost/);
    assert.match(headers.get("content-security-policy") ?? "", /wss:\/\/ws-eu\.pusher\.com/);
    assert.match(text, /online-number">–</);
    assert.match(text, /Not available\. Your pages connect to an external Pusher server/);
    assert.doesNotMatch(text, /class="totals"|fixed online-table"/);
  });
});
