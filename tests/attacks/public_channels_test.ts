import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Client, until } from "../realtime/rig.ts";
import { AddressRig, bystander, stranger } from "./address_rig.ts";

async function subscribed(client: Client, channel: string): Promise<boolean> {
  client.subscribe(channel);
  const frames = await client.settled();
  return frames.some(({ event }) => event === "pusher_internal:subscription_succeeded");
}

/** Opens public channels from one address, on as many connections as it takes. */
async function openChannels(rig: AddressRig, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let n = 0; n < count; n++) {
    if (n % 10 === 0) clients.push(await rig.connectFrom(stranger));
    clients[clients.length - 1].subscribe(`flood-${n}`);
  }
  for (const client of clients) await client.settled();
  return clients;
}

describe("Public channels by the hundred", () => {
  const limits = { maxChannels: 60, maxPublicChannels: 50, maxPublicChannelsPerAddress: 30 };

  it("from one address leave other addresses theirs", async () => {
    await using rig = new AddressRig(limits);
    await openChannels(rig, 100);
    assert.equal(rig.realtime.stats().channels, 30);
    assert.ok(await subscribed(await rig.connectFrom(bystander), "news"));
  });

  it("from many addresses leave room for signed channels", async () => {
    await using rig = new AddressRig({ ...limits, maxPublicChannelsPerAddress: 100 });
    await openChannels(rig, 100);
    assert.equal(rig.realtime.stats().channels, 50);
    const client = await rig.connectFrom(bystander);
    assert.equal(await subscribed(client, "news"), false);
    await client.joined("ann");
  });

  it("do not keep an address out of the channels of others", async () => {
    await using rig = new AddressRig(limits);
    await rig.connectFrom(bystander).then((client) => subscribed(client, "news"));
    const [client] = await openChannels(rig, 100);
    assert.ok(await subscribed(client, "news"));
  });

  it("have room again when their subscribers have gone", async () => {
    await using rig = new AddressRig(limits);
    for (const client of await openChannels(rig, 100)) client.close();
    await until(() => rig.realtime.stats().connections === 0);
    const { publicChannels, publicChannelAddresses } = rig.realtime.stats();
    assert.deepEqual([publicChannels, publicChannelAddresses], [0, 0]);
    assert.ok(await subscribed(await rig.connectFrom(stranger), "flood-0"));
  });

  it("are not counted by address where addresses are not limited", async () => {
    await using rig = new AddressRig({ ...limits, maxConnectionsPerAddress: 0 });
    await openChannels(rig, 100);
    assert.equal(rig.realtime.stats().channels, 50);
  });
});
