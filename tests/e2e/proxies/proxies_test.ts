import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import type { Report } from "@/server/check/run_check.ts";
import { resolveOptions } from "@/realtime/options.ts";
import { rollcall } from "../../fixtures/command_line.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { type Change, type Proxy, readDocumented } from "./proxy.ts";
import { Proxies, socketThrough } from "./proxies.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { app, type Client, Harness } from "../../realtime/harness.ts";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { makeToken } from "../../fixtures/admin_forms.ts";
import { EventFollower } from "../../fixtures/event_follower.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { ada, moveInWithForms } from "../../fixtures/people.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";

/** Changes after which a proxy forwards no WebSockets; Caddy always forwards them. */
const withoutSockets: Record<string, Change[]> = {
  nginx: [["  proxy_set_header Upgrade $http_upgrade;\n", ""]],
  Apache: [[" upgrade=websocket", ""]],
};

describe("rollcall check through nginx, Apache and Caddy", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start({ APP_URL: "https://localhost", TRUSTED_PROXIES: "127.0.0.1" });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** The failed steps behind each proxy. */
  async function failuresBehind(variants: Record<string, Change[]>): Promise<string[][]> {
    await using proxies = await Proxies.before(Number(new URL(server.origin).port), variants);
    const { certFile } = proxies.certificate;
    return await Promise.all(proxies.all.map(async ({ origin }) => {
      const settings = { APP_URL: origin, DATA_DIR: server.dataFolder, DENO_CERT: certFile };
      const { stdout } = await rollcall(["check", "--json", "--idle", "0"], settings);
      const { findings } = JSON.parse(stdout) as Report;
      return findings.filter(({ state }) => state === "failed")
        .map(({ step, found, change }) => `${step}: ${found} ${change}`);
    }));
  }

  it("passes every step with the documented files", async () => {
    assert.deepEqual(await failuresBehind({}), [[], [], []]);
  });

  it("fails at the WebSocket, with a fix, behind a proxy that does not forward the upgrade", async () => {
    const [[nginx], [apache], caddy] = await failuresBehind(withoutSockets);
    assert.match(
      nginx,
      /^upgrade: .*the Upgrade header was lost[^]*nginx: `proxy_http_version 1\.1/,
    );
    assert.match(apache, /^upgrade: .*the Upgrade header was lost[^]*`upgrade=websocket`/);
    assert.deepEqual(caddy, []);
  });
});

/** The timeouts of the documented files, in seconds. Caddy has none. */
const timeouts = [
  { name: "nginx", file: "nginx.conf", directive: "proxy_read_timeout", unit: "s;" },
  { name: "nginx", file: "nginx.conf", directive: "proxy_send_timeout", unit: "s;" },
  { name: "Apache", file: "apache.conf", directive: "Timeout", unit: "\n" },
] as const;
const cutSeconds = 4;

/** The limit of simultaneous connections in Debian's default for Apache. */
const debianLimit = 150;

describe("idle WebSockets through nginx, Apache and Caddy", () => {
  it("are pinged three times within the timeouts of the documented files", async () => {
    const pingSeconds = resolveOptions({ apps: [app] }).idleTimeoutSeconds / 2;
    for (const { file, directive, unit } of timeouts) {
      const seconds = await secondsOf(file, directive, unit);
      assert.ok(seconds >= 3 * pingSeconds, `${directive} ${seconds}${unit}`);
    }
    assert.doesNotMatch(await readDocumented("Caddyfile"), /(read|write|idle|stream)_timeout/);
  });

  it("stay open while pings arrive within the timeouts, and are closed without pings", async () => {
    await using pinging = new Harness({ idleTimeoutSeconds: cutSeconds });
    await using silent = new Harness();
    const variants = { nginx: await cut("nginx"), Apache: await cut("Apache") };
    await using kept = await Proxies.before(pinging.port, variants);
    await using lost = await Proxies.before(silent.port, variants);
    using client = kept.clientAt("127.0.0.2");
    using other = lost.clientAt("127.0.0.2");

    const staying = await connectedThrough(kept.all, client);
    const [nginx, apache, caddy] = await connectedThrough(lost.all, other);
    await withTimeout(Promise.all([nginx.closed, apache.closed]), "the timeouts pass");
    for (const socket of [...staying, caddy]) assert.deepEqual(await socket.settled(), []);
    await closeAll([...staying, caddy]);
  });
});

describe("the events of the API through nginx, Apache and Caddy", () => {
  it("come one by one while the stream is open, and end when it does", async () => {
    await using server = await Rollcall.start({
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PUSHER_APP_ID: app.id,
      PRESENCE_GRACE_MS: "0",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    const [admin] = await moveInWithForms(server);
    const { token } = await makeToken(admin);
    await using proxies = await Proxies.before(Number(new URL(server.origin).port));
    using client = proxies.clientAt("127.0.0.2");
    const headers = { authorization: `Bearer ${token}` };
    const streams = await Promise.all(proxies.all.map(async ({ origin }) => {
      // Deno's fetch accepts an HTTP client, which the browser's types do not declare.
      const init: RequestInit & { client: Deno.HttpClient } = { client, headers };
      const answer = await fetch(`${origin}/api/v1/online/events`, init);
      const follower = new EventFollower();
      return { follower, ended: follower.read(answer) };
    }));
    const everyoneHas = async (ids: string) => {
      for (const { follower } of streams) {
        await until(() => follower.snapshots === 1 && [...follower.people.keys()].join() === ids);
      }
    };
    await everyoneHas("");
    await using members = new MemberSockets(server, app);
    await members.join("ann");
    await everyoneHas("ann");
    await members.leave("ann");
    await everyoneHas("");
    await server.stop();
    for (const { ended } of streams) await withTimeout(ended, "the stream ended");
  });
});

it("Apache serves more sockets at once than Debian lets it", async () => {
  await using harness = new Harness();
  await using proxies = await Proxies.before(harness.port);
  using client = proxies.clientAt("127.0.0.2");
  const apache = Array<Proxy>(debianLimit + 10).fill(proxies.all[1]);
  await closeAll(await connectedThrough(apache, client));
});

/** Opens a WebSocket through each proxy and waits until it is established. */
async function connectedThrough(proxies: Proxy[], client: Deno.HttpClient): Promise<Client[]> {
  const sockets = proxies.map((proxy) => socketThrough(proxy, app.key, client));
  for (const socket of sockets) await socket.next("pusher:connection_established");
  return sockets;
}

/** One after the other: Deno keeps back what is written on a TLS socket while very many are. */
async function closeAll(sockets: Client[]): Promise<void> {
  for (const socket of sockets) {
    socket.close();
    await withTimeout(socket.closed, "a socket is closed");
  }
}

async function secondsOf(file: string, directive: string, unit: string): Promise<number> {
  const text = await readDocumented(file);
  const [, seconds] = new RegExp(`\\n *${directive} (\\d+)${unit}`).exec(text) ?? [];
  assert.ok(seconds, `${file} sets ${directive}`);
  return Number(seconds);
}

function cut(name: "nginx" | "Apache"): Promise<Change[]> {
  return Promise.all(
    timeouts.filter((one) => one.name === name).map(async ({ file, directive, unit }) => {
      const seconds = await secondsOf(file, directive, unit);
      return [`${directive} ${seconds}${unit}`, `${directive} ${cutSeconds}${unit}`];
    }),
  );
}

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
