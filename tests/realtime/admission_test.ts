import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ManualClock } from "./manual_clock.ts";
import { app, Harness, type HarnessOptions, until } from "./harness.ts";

interface Row {
  name: string;
  path?: string;
  headers?: Record<string, string>;
  options?: HarnessOptions;
  code: number;
}

const protocol = "?protocol=7";
const onlyUs = { rules: { allowedOrigins: ["https://us.example"] } };

const rows: Row[] = [
  { name: "an unknown key", path: `/app/unknown${protocol}`, code: 4001 },
  { name: "a prototype name as key", path: `/app/__proto__${protocol}`, code: 4001 },
  { name: "no key", path: `/app/${protocol}`, code: 4005 },
  { name: "another path", path: `/chat${protocol}`, code: 4005 },
  { name: "no protocol", path: `/app/${app.key}`, code: 4008 },
  { name: "an empty protocol", path: `/app/${app.key}?protocol=`, code: 4008 },
  { name: "protocol 4", path: `/app/${app.key}?protocol=4`, code: 4007 },
  { name: "protocol 8", path: `/app/${app.key}?protocol=8`, code: 4007 },
  { name: "protocol 7.0", path: `/app/${app.key}?protocol=7.0`, code: 4007 },
  {
    name: "another origin",
    headers: { origin: "https://them.example" },
    options: onlyUs,
    code: 4009,
  },
];

const byHost = { rules: { allowedOrigins: ["us.example", "*.them.example"] } };

/** Origins of which the hosts are listed, or not. */
const origins: [origin: string, isAllowed: boolean][] = [
  ["https://us.example", true],
  ["http://US.example:8080", true],
  ["https://a.us.example", false],
  ["https://us.example.evil.example", false],
  ["https://a.them.example", true],
  ["https://a.b.them.example:8443", true],
  ["https://them.example", false],
  ["https://evilthem.example", false],
  ["null", false],
];

describe("A socket", () => {
  for (const [origin, isAllowed] of origins) {
    it(`from ${origin} ${isAllowed ? "opens" : "is refused"} when hosts are listed`, async () => {
      await using harness = new Harness(byHost);
      const client = harness.open(`/app/${app.key}${protocol}`, { origin });
      if (isAllowed) await client.next("pusher:connection_established");
      else assert.equal((await client.closed).code, 4009);
    });
  }

  for (const { name, path, headers, options, code } of rows) {
    it(`with ${name} gets pusher:error and close code ${code}`, async () => {
      await using harness = new Harness(options);
      const client = harness.open(path, headers);
      const error = await client.next("pusher:error");
      assert.equal(error.data.code, code);
      assert.equal(typeof error.data.message, "string");
      assert.equal((await client.closed).code, code);
      assert.equal(harness.realtime.stats().connections, 0);
    });
  }

  for (const path of [`/app/${app.key}?protocol=5`, `/some/prefix/app/${app.key}/?protocol=7`]) {
    it(`to ${path.replace(app.key, "KEY")} opens`, async () => {
      await using harness = new Harness(onlyUs);
      const client = harness.open(path, { origin: "https://us.example" });
      const { data } = await client.next("pusher:connection_established");
      assert.match(data.socket_id, /^\d+\.\d+$/);
      assert.equal(data.activity_timeout, 30);
    });
  }

  it("over the limit of connections is closed with 4100, so that its client retries", async () => {
    await using harness = new Harness({ maxConnections: 1 });
    const first = await harness.connect();
    assert.equal((await harness.open().closed).code, 4100);
    assert.deepEqual(await first.settled(), []);
  });

  it("request that is no WebSocket upgrade gets 400", async () => {
    await using harness = new Harness();
    const plain = await fetch(`http://127.0.0.1:${harness.port}/app/${app.key}?protocol=7`);
    assert.equal(plain.status, 400);
    await plain.body?.cancel();
  });

  it("that joins at most a public channel within the join timeout is closed with 4009, one that joins is not", async () => {
    const clock = new ManualClock();
    await using harness = new Harness({ rules: { joinTimeoutMs: 60 }, clock });
    const idle = await harness.connect();
    idle.subscribe("news");
    await idle.settled();
    const member = await harness.member("u");
    assert.equal(harness.realtime.stats().unauthorized, 1);
    clock.advance(60);
    assert.equal((await idle.closed).code, 4009);
    assert.deepEqual(await member.settled(), []);
    assert.equal(harness.realtime.stats().unauthorized, 0);
    const drained = harness.realtime.drain(0);
    await member.closed;
    clock.advance(1_000);
    await drained;
  });

  it("that closes before it joins anything leaves nothing in memory", async () => {
    await using harness = new Harness({ rules: { joinTimeoutMs: 60_000 } });
    const client = await harness.connect();
    assert.equal(harness.realtime.stats().unauthorized, 1);
    client.close();
    await until(() => harness.realtime.stats().connections === 0);
    assert.equal(harness.realtime.stats().unauthorized, 0);
  });
});
