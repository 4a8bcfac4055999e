import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { MutePeer } from "../mute_peer.ts";
import { app, Harness } from "../harness.ts";

describe("A drain", () => {
  for (const presenceGraceMs of [0, 1]) {
    it(`closes with 4200, announces no departure and leaves nothing in memory, with a leave grace of ${presenceGraceMs} ms`, async () => {
      await using harness = new Harness({ presenceGraceMs, rules: { joinTimeoutMs: 60_000 } });
      const clients = [
        await harness.member("ann"),
        await harness.connect(),
        await harness.member("bob"),
      ];
      await clients[2].settled();
      const drained = harness.realtime.drain(100);
      for (const client of clients) assert.equal((await client.closed).code, 4200);
      await assert.rejects(clients[2].next("pusher_internal:member_removed"), /closed/);
      await drained;
      for (const [name, size] of harness.sizes) assert.equal(size, 0, name);
    });
  }

  it("closes new sockets with 4100, and refuses sockets of pusher-js before 8.2 with 503", async () => {
    await using harness = new Harness();
    using mute = await MutePeer.connect(harness.port);
    await mute.join("ghost");
    const drained = harness.realtime.drain(100);
    const late = harness.open();
    assert.equal((await late.next("pusher:error")).data.code, 4100);
    assert.equal((await late.closed).code, 4100);
    const url = `http://127.0.0.1/app/${app.key}?protocol=7&client=js&version=8.0.2`;
    const answer = await harness.answer(new Request(url, { headers: { upgrade: "websocket" } }));
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), "The server is stopping\n");
    await drained;
  });

  it("does not wait for peers that never close", async () => {
    await using harness = new Harness();
    using mute = await MutePeer.connect(harness.port);
    await mute.join("ghost");
    await harness.realtime.drain(0);
    assert.equal(harness.realtime.stats().connections, 0);
  });
});
