import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { isGuestId } from "@/shared/client_settings.ts";
import { ManualClock } from "../realtime/manual_clock.ts";
import {
  type Client,
  Harness,
  type HarnessOptions,
  type Received,
  until,
} from "../realtime/harness.ts";
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

/** A stopped clock needs time for the last closes. */
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

async function subscribed(client: Client, channel: string): Promise<boolean> {
  client.subscribe(channel);
  const frames = await client.settled();
  return frames.some(({ event }) => event === "pusher_internal:subscription_succeeded");
}

/** Opens public channels from one address, on as many connections as it takes. */
async function openChannels(harness: AddressHarness, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let n = 0; n < count; n++) {
    if (n % 10 === 0) clients.push(await harness.connectFrom(stranger));
    clients[clients.length - 1].subscribe(`flood-${n}`);
  }
  for (const client of clients) await client.settled();
  return clients;
}

describe("Public channels by the hundred", () => {
  const limits = { maxChannels: 60, maxPublicChannels: 50, maxPublicChannelsPerAddress: 30 };

  it("from one address leave other addresses theirs", async () => {
    await using harness = new AddressHarness(limits);
    await openChannels(harness, 100);
    assert.equal(harness.realtime.stats().channels, 30);
    assert.ok(await subscribed(await harness.connectFrom(bystander), "news"));
  });

  it("from many addresses leave room for signed channels", async () => {
    await using harness = new AddressHarness({ ...limits, maxPublicChannelsPerAddress: 100 });
    await openChannels(harness, 100);
    assert.equal(harness.realtime.stats().channels, 50);
    const client = await harness.connectFrom(bystander);
    assert.equal(await subscribed(client, "news"), false);
    await client.joined("ann");
  });

  it("do not keep an address out of the channels of others", async () => {
    await using harness = new AddressHarness(limits);
    await harness.connectFrom(bystander).then((client) => subscribed(client, "news"));
    const [client] = await openChannels(harness, 100);
    assert.ok(await subscribed(client, "news"));
  });

  it("have room again when their subscribers have gone", async () => {
    await using harness = new AddressHarness(limits);
    for (const client of await openChannels(harness, 100)) client.close();
    await until(() => harness.realtime.stats().connections === 0);
    const { publicChannels, publicChannelAddresses } = harness.realtime.stats();
    assert.deepEqual([publicChannels, publicChannelAddresses], [0, 0]);
    assert.ok(await subscribed(await harness.connectFrom(stranger), "flood-0"));
  });

  it("are not counted by address where addresses are not limited", async () => {
    await using harness = new AddressHarness({ ...limits, maxConnectionsPerAddress: 0 });
    await openChannels(harness, 100);
    assert.equal(harness.realtime.stats().channels, 50);
  });
});

const full: HarnessOptions = { rules: { presenceMaxMembers: 3 }, isGuest: isGuestId };

function guest(n: number): string {
  return `guest-${n.toString(16).padStart(32, "0")}`;
}

/** Whether one user more gets in. */
async function isAdmitted(harness: Harness, userId: string): Promise<boolean> {
  const client = await harness.connect();
  client.joinAs(userId);
  const frames = await client.settled();
  return frames.some(({ event }) => event === "pusher_internal:subscription_succeeded");
}

describe("A presence channel that guests have filled", () => {
  it("refuses further guests, and admits as many users as it may have members", async () => {
    await using harness = new Harness(full);
    for (let n = 0; n < 3; n++) await harness.member(guest(n));
    assert.equal(await isAdmitted(harness, guest(3)), false);
    for (const user of ["ann", "ben", "cleo"]) assert.ok(await isAdmitted(harness, user));
    assert.equal(await isAdmitted(harness, "dan"), false);
    assert.equal(harness.app.presence.of("presence-room").userIds.length, 6);
  });

  it("counts them apart, as they come and go", async () => {
    await using harness = new Harness(full);
    const counts = () => harness.app.presence.counts("presence-room");
    const guests = [await harness.member(guest(0)), await harness.member(guest(1))];
    await harness.member("ann");
    assert.deepEqual(counts(), { users: 3, guests: 2, connections: 3 });
    for (const client of guests) {
      client.send("pusher:unsubscribe", { channel: "presence-room" });
      await client.settled();
    }
    assert.deepEqual(counts(), { users: 1, connections: 1 });
  });

  it("has room for a guest when one has left, and not when a user has", async () => {
    await using harness = new Harness(full);
    const guests = [0, 1, 2].map((n) => harness.member(guest(n)));
    const [leaving] = await Promise.all(guests);
    leaving.send("pusher:unsubscribe", { channel: "presence-room" });
    await leaving.settled();
    const ann = await harness.member("ann");
    assert.equal(await isAdmitted(harness, guest(3)), false);
    ann.send("pusher:unsubscribe", { channel: "presence-room" });
    await ann.settled();
    assert.ok(await isAdmitted(harness, guest(3)));
    assert.ok(await isAdmitted(harness, "ben"));
  });
});
