import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ManualClock } from "../realtime/manual_clock.ts";
import type { Client, Received } from "../realtime/harness.ts";
import { AddressHarness, bystander, stranger } from "./address_harness.ts";

/** Joins and leaves the channel again and again. @returns what the server answered */
async function toggle(client: Client, times: number, userId = "mallory"): Promise<Received[]> {
  for (let n = 0; n < times; n++) {
    client.joinAs(userId);
    client.send("pusher:unsubscribe", { channel: "presence-room" });
  }
  return await client.settled();
}

function count(frames: Received[], event: string): number {
  return frames.filter((frame) => frame.event === event).length;
}

/** A clock that stands still needs time for the last closes. */
async function end(harness: AddressHarness, clock: ManualClock): Promise<void> {
  const drained = harness.realtime.drain(0);
  clock.advance(1_000);
  await drained;
}

const patient = { maxErrors: 10_000, rules: { maxMessagesPerSecond: 0 } };

describe("A presence channel that a client joins and leaves again and again", () => {
  it("notifies its members of as many joins as the budget of the connection has", async () => {
    const clock = new ManualClock();
    const subscriptionBudget = { burst: 20, perSecond: 2 };
    await using harness = new AddressHarness({ ...patient, clock, subscriptionBudget });
    const watching = await harness.connectFrom(bystander);
    await watching.joined("ann");
    const mallory = await harness.connectFrom(stranger);
    await toggle(mallory, 100);
    assert.equal(count(await watching.settled(), "pusher_internal:member_added"), 20);
    clock.advance(5_000);
    await toggle(mallory, 100);
    assert.equal(count(await watching.settled(), "pusher_internal:member_added"), 10);
    assert.equal(harness.realtime.refusals().subscriptionBudget, 170);
    await end(harness, clock);
  });

  it("notifies its members of as many joins as the budget of the address has", async () => {
    const clock = new ManualClock();
    const rejoinBudget = { burst: 1_000, perSecond: 100 };
    await using harness = new AddressHarness({ ...patient, clock, rejoinBudget });
    const watching = await harness.connectFrom(bystander);
    await watching.joined("ann");
    for (let n = 0; n < 10; n++) {
      await toggle(await harness.connectFrom(stranger), 10, `mallory-${n}`);
    }
    // The first join of each connection is free, and each other one costs 50.
    assert.equal(count(await watching.settled(), "pusher_internal:member_added"), 10 + 20);
    assert.equal(harness.realtime.refusals().rejoinBudget, 70);
    await end(harness, clock);
  });

  it("admits other addresses, and clients of the same one that have left no channel", async () => {
    const clock = new ManualClock();
    const rejoinBudget = { burst: 100, perSecond: 2.5 };
    await using harness = new AddressHarness({ ...patient, clock, rejoinBudget });
    const watching = await harness.connectFrom(bystander);
    await watching.joined("ann");
    await toggle(await harness.connectFrom(stranger), 10);
    assert.equal(harness.realtime.refusals().rejoinBudget, 7);
    await (await harness.connectFrom(stranger)).joined("neighbour");
    watching.send("pusher:unsubscribe", { channel: "presence-room" });
    await watching.joined("ann");
    await end(harness, clock);
  });

  it("admits clients without end behind a proxy that hides their addresses", async () => {
    const clock = new ManualClock();
    const rejoinBudget = { burst: 100, perSecond: 2.5 };
    await using harness = new AddressHarness({
      ...patient,
      clock,
      rejoinBudget,
      maxConnectionsPerAddress: 0,
    });
    await (await harness.connectFrom(bystander)).joined("ann");
    await toggle(await harness.connectFrom(stranger), 10);
    assert.equal(harness.realtime.refusals().rejoinBudget, 0);
    await end(harness, clock);
  });

  it("closes a client with 4009 that does not stop", async () => {
    await using harness = new AddressHarness({ rules: { maxMessagesPerSecond: 0 } });
    const mallory = await harness.connectFrom(stranger);
    for (let n = 0; n < 500; n++) {
      mallory.joinAs("mallory");
      mallory.send("pusher:unsubscribe", { channel: "presence-room" });
    }
    let error = (await mallory.next("pusher:error")).data;
    while (error.code === null) error = (await mallory.next("pusher:error")).data;
    assert.equal(error.code, 4009);
  });
});
