import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Client, until } from "../realtime/harness.ts";
import { AddressHarness, bystander, stranger } from "./address_harness.ts";

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
