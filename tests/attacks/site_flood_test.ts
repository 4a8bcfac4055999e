import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { type MadeSiteTag, makeSiteTag } from "../fixtures/admin_forms.ts";
import { until } from "../fixtures/eventually.ts";
import type { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ReadMetrics } from "../fixtures/metrics.ts";
import { moveIn } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import type { Client } from "../realtime/harness.ts";
import { bystander, joins } from "./bystander.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const channel = "presence-chart";
const metricsToken = "a-token-of-the-tests";
const origin = "https://example.com";
const [mostGuests, mostOfAddress] = [20, 5];

/** The addresses of the strangers, and one of someone else. */
const address = (n: number) => `203.0.113.${n}`;
const other = "198.51.100.7";

describe("strangers who flood a site tag", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let tag: MadeSiteTag;

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      TRUSTED_PROXIES: "127.0.0.1",
      PRESENCE_MAX_MEMBERS: String(mostGuests),
      MAX_CONNECTIONS_PER_ADDRESS: String(mostOfAddress),
      PRESENCE_GRACE_MS: "0",
      METRICS_TOKEN: metricsToken,
    });
    [ada] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    tag = await makeSiteTag(ada);
  });

  const metrics = () => ReadMetrics.of(server.origin, metricsToken);

  /** How many users are online, and how many of them are guests. */
  async function online(): Promise<[users: number, guests: number]> {
    const read = await metrics();
    const labels = { app: app.id, channel };
    return [read.value("rollcall_users", labels), read.value("rollcall_guests", labels)];
  }

  /** The entries in the server's memory, by kind. */
  async function kept(): Promise<Record<string, number>> {
    const read = await metrics();
    const { metrics: entries = [] } =
      read.all.find(({ name }) => name === "rollcall_kept_entries") ?? {};
    return Object.fromEntries(entries.map(({ labels, value }) => [JSON.stringify(labels), value!]));
  }

  const connect = (from: string) => bystander(Number(new URL(server.origin).port), app, from);

  /** What is answered to a request for a tag from an address. */
  async function ask(path: string, from: string, init: RequestInit = {}) {
    const headers = { "x-forwarded-for": from, origin };
    const answer = await fetch(server.origin + path, { headers, ...init });
    const text = await answer.text();
    const readers = answer.headers.get("access-control-allow-origin");
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), readers, text };
  }

  /** A visitor of the site, as far as the server lets one in. */
  async function visit(from: string): Promise<{ client: Client; isCounted: boolean }> {
    const client = await connect(from);
    const body = new URLSearchParams({ socket_id: client.socketId });
    const { status, text } = await ask(tag.auth, from, { method: "POST", body });
    assert.equal(status, 200, text);
    client.send("pusher:subscribe", { channel, ...JSON.parse(text) });
    const frames = await client.settled();
    const isCounted = frames.some(({ event }) =>
      event === "pusher_internal:subscription_succeeded"
    );
    return { client, isCounted };
  }

  /** The visitors of a number of addresses, as many of each as it may have. */
  async function visitors(addresses: number) {
    const all = [];
    for (let n = 0; n < addresses * mostOfAddress; n++) {
      all.push(await visit(address(n % addresses)));
    }
    return all;
  }

  it("are no more guests than there is room for, and leave users theirs", async () => {
    const strangers = await visitors(8);
    assert.equal(strangers.filter(({ isCounted }) => isCounted).length, mostGuests);
    assert.deepEqual(await online(), [mostGuests, mostGuests]);
    const user = await connect(other);
    await joins(user, app, channel, "ann");
    assert.deepEqual(await online(), [mostGuests + 1, mostGuests]);
    assert.match((await ada.get("/")).text, new RegExp(`2 users, ${mostGuests} guests<`));
    for (const { client } of [{ client: user }, ...strangers]) client.close();
    await until(async () => String(await online()) === "0,0", "all had left");
  });

  it("have as many connections as an address may have, and keep no other address out", async () => {
    const strangers = await visitors(1);
    await assert.rejects(connect(address(0)), /closed before pusher:connection_established/);
    const { client, isCounted } = await visit(other);
    assert.ok(isCounted);
    for (const each of [{ client }, ...strangers]) each.client.close();
    await until(async () => String(await online()) === "0,0", "all had left");
  });

  it("have 600 requests a minute, with wrong tokens as many again, and others are answered", async () => {
    const wrong = tag.script.replace(tag.token, "x".repeat(tag.token.length));
    for (const [path, status] of [[wrong, 404], [tag.script, 200]] as const) {
      for (let n = 0; n < 600; n += 50) {
        const asked = Array.from({ length: 50 }, () => ask(path, address(9), { method: "HEAD" }));
        for (const answer of await Promise.all(asked)) assert.equal(answer.status, status);
      }
      const refused = await ask(path, address(9));
      assert.deepEqual([refused.status, refused.readers], [429, "*"], "the page may read why");
      assert.ok(Number(refused.retryAfter) >= 1 && Number(refused.retryAfter) <= 60);
    }
    assert.equal((await ask(tag.script, other)).status, 200);
  });

  it("leave nothing in memory when they have gone", async () => {
    const before = await kept();
    for (const { client } of await visitors(8)) client.close();
    await until(async () => {
      const now = await kept();
      return Object.entries(now).every(([kind, size]) => size <= (before[kind] ?? 0));
    }, "as little was kept as before");
  });
});
