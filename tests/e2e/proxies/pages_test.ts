import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada } from "../../fixtures/people.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { Proxies, socketThrough } from "./proxies.ts";

const settings = {
  APP_URL: "https://localhost",
  TRUSTED_PROXIES: "127.0.0.1",
  ADMIT_GUESTS: "true",
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
  PUSHER_APP_KEY: "a-key-of-the-tests",
  PUSHER_APP_SECRET: "a-secret-of-the-tests-alone",
};

describe("pages through nginx, Apache and Caddy", () => {
  it("are live, and reconnect after a restart of the server", async () => {
    const first = await Rollcall.start(settings);
    const port = new URL(first.origin).port;
    await using proxies = await Proxies.before(Number(port));
    using client = proxies.clientAt("127.0.0.2");
    await new HttpVisitor(proxies.all[0].origin, client).setUp(await first.setupToken(), ada);
    const browser = await launchBrowser();
    try {
      const people = await meetThrough(proxies, browser);
      await people[0].signIn(ada, "/admin/online");
      for (const person of people.slice(1)) await person.open("/");
      for (const { page } of people) await seesLive(page, 3);
      for (const { page } of people) assert.equal(await protocolOf(page), "h2");

      await people[2].page.close();
      for (const { page } of people.slice(0, 2)) await seesLive(page, 2);
      const returned = await people[2].open("/");
      for (const { page } of people.slice(0, 2)) await seesLive(page, 3);
      for (const { consoleErrors } of people) assert.deepEqual(consoleErrors, []);

      const sockets = proxies.all.map((proxy) =>
        socketThrough(proxy, settings.PUSHER_APP_KEY, client)
      );
      for (const socket of sockets) await socket.next("pusher:connection_established");
      await keepPort(Number(port));
      await first.stop();
      const closed = withTimeout(
        Promise.all(sockets.map((socket) => socket.closed)),
        "sockets close",
      );
      assert.deepEqual((await closed).map(({ code }) => code), [4200, 4200, 4200]);

      const meanwhile = proxies.all.map(({ origin }) => new HttpVisitor(origin, client).get("/up"));
      const origins = proxies.all.map(({ origin }) => origin).join();
      const again = { ...settings, PORT: port, ALLOWED_ORIGINS: origins };
      await using _second = await Rollcall.start(again, first.dataFolder);
      assert.deepEqual((await Promise.all(meanwhile)).map(({ status }) => status), [502, 503, 200]);
      for (const page of [people[0].page, people[1].page, returned]) await seesLive(page, 3);
    } finally {
      await browser.close();
    }
  });
});

/** Opens a browser for a person at each proxy. */
function meetThrough(proxies: Proxies, browser: Browser): Promise<Person[]> {
  return Promise.all(
    proxies.all.map(({ origin }) => Person.meet(browser, origin, { ignoreHTTPSErrors: true })),
  );
}

/** The version of HTTP that loaded a page, as its ALPN name. */
function protocolOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    return (navigation as PerformanceNavigationTiming).nextHopProtocol;
  });
}
