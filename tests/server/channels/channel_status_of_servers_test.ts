import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { channelStatus } from "@/server/channels/channel_status.ts";
import { MemberSearches } from "@/server/channels/listed_channels.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { sharedRedis } from "../../fixtures/redis.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { RealtimeServer } from "@/realtime/server.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { app, Harness } from "../../realtime/harness.ts";

const room = "presence-room";

/** The names of a channel's members who match a search, as a server shows them. */
async function namesOn({ realtime }: Harness, search: string): Promise<string[]> {
  const searches = new MemberSearches(new ManualClock());
  const accountsOf = () => Promise.resolve([]);
  const source = { realtime, searches, accountsOf, ownAppId: "own", pause: async () => {} };
  const asked = { name: room, query: { search, page: 1 }, at: 5 };
  const { members } = await channelStatus(source, { id: app.id, name: "An app" }, asked);
  return members!.items.map(({ name, connections }) => `${name} ${connections}`).toSorted();
}

describe("the status of a channel over several servers", () => {
  it("names and finds the members of all, also on one where the channel has no subscriber", async () => {
    const redis = await sharedRedis();
    await using disposed = new AsyncDisposableStack();
    disposed.defer(redis.stop);
    const prefix = `${crypto.randomUUID()}:`;
    const start = async () => {
      const cluster = await Cluster.open({
        url: redis.address,
        prefix,
        clock: systemClock,
        log() {},
      });
      disposed.defer(() => cluster.close());
      const { broker, bus: { others }, number: serverNumber } = cluster;
      const harness = disposed.use(new Harness({ broker, others, serverNumber }));
      cluster.bus.serve(harness.realtime);
      return harness;
    };
    const [first, second, third] = [await start(), await start(), await start()];
    const join = async (harness: Harness, userId: string, name: string) => {
      const client = await harness.connect();
      client.joinAs(userId, room, { name });
      await client.next("pusher_internal:subscription_succeeded");
    };
    await join(first, "8", "Ann Ek");
    await join(second, "8", "Ann Ek");
    await join(second, "9", "Bob");
    // The page asks again and again: only a search and the ids need all members, and both are kept.
    const api = third.realtime.appApi(app.id)!;
    const members = api.members.bind(api);
    const asked: (readonly string[] | undefined)[] = [];
    const source = {
      searches: new MemberSearches(new ManualClock()),
      accountsOf: () => Promise.resolve([]),
      ownAppId: "own",
      pause: async () => {},
      realtime: partOf<RealtimeServer>({
        app: (id: string) => third.realtime.app(id),
        onAllServers: (id: string) => third.realtime.onAllServers(id),
        appApi: () =>
          Object.assign(api, {
            members(name: string, ids?: readonly string[]) {
              asked.push(ids);
              return members(name, ids);
            },
          }),
      }),
    };
    source.searches.read = () => Promise.resolve(["8", "gone", "9"]);
    const query = { search: "", page: 1 };
    const status = await channelStatus(source, { id: app.id, name: "An app" }, {
      name: room,
      query,
      at: 5,
    });
    assert.deepEqual(asked, [["8", "gone", "9"]]);
    assert.deepEqual([status.users, status.members!.items.length], [2, 2]);
    for (const harness of [first, second, third]) {
      assert.deepEqual(await namesOn(harness, ""), ["Ann Ek 2", "Bob 1"]);
      assert.deepEqual(await namesOn(harness, "bob"), ["Bob 1"]);
      assert.deepEqual(await namesOn(harness, "ann"), ["Ann Ek 2"]);
    }
  });
});
