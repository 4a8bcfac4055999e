import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { type Change, documentedChanges } from "./proxy.ts";
import { caddy, nginx } from "./proxy_kinds.ts";
import { Proxies, proxyKinds, socketThrough } from "./proxies.ts";

describe("the documented files of proxies, with documented changes", () => {
  it("forward the address that the outer one of several proxies saw", async () => {
    await using server = await Rollcall.start({
      APP_URL: "https://localhost",
      TRUSTED_PROXIES: "127.0.0.1, 127.0.0.2",
      LOG_LEVEL: "debug",
      LOG_FORMAT: "json",
    });
    const changes = await changesBelow("Several proxies in a row");
    await using proxies = await Proxies.before(portOf(server), changes);
    using outer = proxies.clientAt("127.0.0.2");
    for (const [index, { origin }] of proxies.all.entries()) {
      const address = `203.0.113.${index + 1}`;
      const headers = { "x-forwarded-for": `198.51.100.9, ${address}` };
      await new HttpVisitor(origin, outer).get("/sign-in", headers);
      await withTimeout(server.printed(new RegExp(`"peer":"${address}"`)), `${address} is logged`);
    }
    assert.doesNotMatch(server.log, /198\.51\.100\.9/);
  });

  it("serve live pages below a path", async () => {
    await using server = await Rollcall.start({
      APP_URL: "https://localhost/rollcall",
      TRUSTED_PROXIES: "127.0.0.1",
      ADMIT_GUESTS: "true",
    });
    const changes = await changesBelow("Below a path");
    await using proxies = await Proxies.before(portOf(server), changes);
    using client = proxies.clientAt("127.0.0.2");
    const browser = await launchBrowser();
    try {
      const options = { ignoreHTTPSErrors: true };
      const people = await Promise.all(
        proxies.all.map(({ origin }) => Person.meet(browser, origin, options)),
      );
      for (const person of people) await person.open("/rollcall");
      for (const { page } of people) await seesLive(page, 3);
      for (const { consoleErrors } of people) assert.deepEqual(consoleErrors, []);
      for (const proxy of proxies.all) {
        const visitor = new HttpVisitor(proxy.origin, client);
        assert.equal((await visitor.get("/rollcall/up")).text, "up\n");
        assert.notEqual((await visitor.get("/up")).text, "up\n");
        for (const name of ["wallboard", "invite", "reset-password"]) {
          await visitor.get(`/rollcall/${name}/a-token-that-nobody-may-read`);
        }
        assert.doesNotMatch(await proxy.log(), /a-token-that-nobody-may-read/);
      }
    } finally {
      await browser.close();
    }
  });

  it("answer every request and open every socket while two servers restart in turn", async () => {
    const key = "a-key-of-the-tests";
    const settings = {
      APP_URL: "https://localhost",
      TRUSTED_PROXIES: "127.0.0.1",
      DRAIN_MS: "0",
      PUSHER_APP_KEY: key,
      PUSHER_APP_SECRET: "a-secret-of-the-tests-alone",
    };
    await using stack = new AsyncDisposableStack();
    const servers = [await Rollcall.start(settings), await Rollcall.start(settings)];
    stack.defer(async () => void await Promise.all(servers.map((server) => server.stop())));
    const [first, second] = servers.map(portOf);
    const kinds = [nginx, caddy];
    const changes = await changesBelow("Several servers", kinds);
    for (const each of Object.values(changes)) each.push(["127.0.0.1:8001", `127.0.0.1:${second}`]);
    await using proxies = await Proxies.before(first, changes, kinds);
    using client = proxies.clientAt("127.0.0.2");

    /** Twelve requests, of which some meet the server that is away, and a few sockets. */
    async function isServed(when: string): Promise<void> {
      for (const proxy of proxies.all) {
        const visitor = new HttpVisitor(proxy.origin, client);
        for (let request = 0; request < 12; request++) {
          assert.equal((await visitor.get("/up")).status, 200, `${proxy.kind.name} ${when}`);
        }
        for (let opened = 0; opened < 3; opened++) {
          const socket = socketThrough(proxy, key, client);
          await socket.next("pusher:connection_established");
          socket.close();
          await socket.closed;
        }
      }
    }

    await isServed("with both servers");
    for (const [index, server] of servers.entries()) {
      await keepPort(portOf(server));
      await server.stop();
      await isServed(`without server ${index + 1}`);
      const again = { ...settings, PORT: String(portOf(server)) };
      servers[index] = await Rollcall.start(again, server.dataFolder);
    }
    await isServed("with both servers again");
  });
});

async function changesBelow(
  heading: string,
  kinds = proxyKinds,
): Promise<Record<string, Change[]>> {
  return Object.fromEntries(
    await Promise.all(
      kinds.map(async ({ name, file }) => [name, await documentedChanges(heading, file)]),
    ),
  );
}

function portOf({ origin }: Rollcall): number {
  return Number(new URL(origin).port);
}
