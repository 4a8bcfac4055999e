import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { app, Harness } from "../harness.ts";

describe("A server that sends its clients away", () => {
  it("closes them with 4200, and their users leave after the leave grace", async () => {
    await using harness = new Harness({ presenceGraceMs: 60_000 });
    const clients = [await harness.member("ann"), await harness.member("bob")];
    await harness.realtime.sendAway(100);
    for (const client of clients) {
      const { code, reason } = await client.closed;
      assert.deepEqual([code, reason], [4200, "Connect to another server"]);
    }
    const { users } = harness.app.presence.counts("presence-room");
    assert.equal(users, 2);
  });

  it("closes new sockets with 4100, and refuses sockets of pusher-js before 8.2 with 503, until it accepts again", async () => {
    await using harness = new Harness();
    await harness.realtime.sendAway(0);
    const late = harness.open();
    assert.equal((await late.next("pusher:error")).data.code, 4100);
    assert.equal((await late.closed).code, 4100);
    const url = `http://127.0.0.1/app/${app.key}?protocol=7&client=js&version=8.0.2`;
    const answer = await harness.answer(new Request(url, { headers: { upgrade: "websocket" } }));
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), "Connect to another server\n");
    assert.equal(harness.realtime.isDraining, false);
    harness.realtime.acceptAgain();
    await harness.member("ann");
  });

  it("keeps sockets that are open when it accepts again, and can do so again", async () => {
    await using harness = new Harness();
    const [first, ...others] = [
      await harness.connect(),
      await harness.connect(),
      await harness.connect(),
    ];
    const sent = harness.realtime.sendAway(600_000);
    assert.equal((await first.closed).code, 4200);
    harness.realtime.acceptAgain();
    await withTimeout(sent, "no more clients were sent away");
    for (const client of others) await client.settled();
    await harness.realtime.sendAway(0);
    for (const client of others) assert.equal((await client.closed).code, 4200);
  });

  it("can be stopped meanwhile", async () => {
    await using harness = new Harness();
    const clients = [await harness.connect(), await harness.connect()];
    const sent = harness.realtime.sendAway(600_000);
    await harness.realtime.drain(0);
    for (const client of clients) assert.equal((await client.closed).code, 4200);
    await withTimeout(sent, "no more clients were sent away");
    await harness.realtime.sendAway(0);
  });
});
