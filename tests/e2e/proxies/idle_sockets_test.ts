import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { resolveOptions } from "@/realtime/options.ts";
import { app, type Client, Harness } from "../../realtime/harness.ts";
import { type Change, readDocumented } from "./documented.ts";
import { Proxies, socketThrough } from "./proxies.ts";
import type { Proxy } from "./proxy.ts";

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
