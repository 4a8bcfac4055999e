import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { IgnoredMessages } from "@/realtime/cluster/messages/room_message.ts";
import { Node } from "@/realtime/cluster/node/node.ts";
import { NodeBrokers } from "@/realtime/cluster/node/node_broker.ts";
import { App } from "@/realtime/app.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { type LogEntry, resolveOptions } from "@/realtime/options.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import { asConnection, FakeConnection, member, strictListeners } from "../../doubles.ts";
import { ManualClock } from "../../manual_clock.ts";
import { MemoryState } from "../state/memory_state.ts";
import { MemoryLink, settle } from "./memory_link.ts";

/** A clock in the present: versions of rooms are times in microseconds. */
class Present extends ManualClock {
  override readonly date = (): number => 1_700_000_000_000 + this.now();
}

const config = { id: "1", key: "key", secret: "secret", presenceMaxMembers: 3 };

/** Two servers of an app over data in memory. */
async function twoServers() {
  const clock = new Present();
  const links = [new MemoryLink(), new MemoryLink()];
  const data = new MemoryState({
    leaseMs: 10_000,
    now: clock.date,
    publish: (room, message) => links.forEach((link) => link.receive(room, message)),
  });
  const logged: string[] = [];
  const log = ({ message }: LogEntry) => void logged.push(message);
  const servers = await Promise.all(links.map(async (link, index) => {
    const state = link.stateOf(data);
    const node = new Node({
      state,
      link,
      clock,
      number: index + 1,
      leaseMs: 10_000,
      heartbeatMs: 1_000,
      log,
      totals: () => "{}",
      wasPlanned: () => false,
    });
    await node.start();
    const ignored = new IgnoredMessages(log);
    const { make: broker } = new NodeBrokers({
      node,
      state,
      link,
      topicOf: (room) => room,
      ignored,
    });
    const options = { apps: [config], clock, broker, presenceGraceMs: 0 };
    const app = new App(config, resolveOptions(options), strictListeners());
    app.onFull = () => {};
    return { app, node };
  }));
  const counts: number[] = [];
  /** Lets seconds pass, and notes the subscribers of a channel after each. */
  const pass = async (seconds: number, channel = "news") => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await settle();
      counts.push((await data.sizes([`1:${channel}`]))[0].subscribers);
    }
    return [...new Set(counts.splice(0))];
  };
  let opened = 0;
  const open = (app: App, channel: string, user?: Member) => {
    const tab = new FakeConnection(`1.${opened++}`, user?.id ?? "", app);
    app.opened(asConnection(tab));
    app.hub.subscribe(asConnection(tab), channel, user);
    return tab;
  };
  const end = () => {
    for (const { app, node } of servers) {
      app.stop();
      node.stop();
    }
    assert.equal(clock.timers, 0);
  };
  return { clock, data, end, links, logged, open, pass, servers };
}

describe("How many subscribers a channel has over two servers", () => {
  it("stays the same when Redis restarts with its data, and no server is taken for lost", async () => {
    const { data, end, links, logged, open, pass, servers } = await twoServers();
    for (const { app } of servers) open(app, "news");
    assert.deepEqual(await pass(12), [2]);
    for (const link of links) link.cut();
    data.changeServer();
    for (const link of links) link.mend();
    assert.deepEqual(await pass(15), [2]);
    assert.deepEqual(logged.filter((message) => message === "A server was lost"), []);
    end();
  });

  it("stays the same while clients move from a server that stops", async () => {
    const { data, end, open, pass, servers: [one, two] } = await twoServers();
    const tabs = Array.from({ length: 4 }, () => open(one.app, "news"));
    open(two.app, "news");
    assert.deepEqual(await pass(3), [5]);
    data.log.length = 0;
    one.app.pause();
    for (const tab of tabs.slice(1)) {
      one.app.released(asConnection(tab), departures.serverStopped);
      open(two.app, "news");
      assert.deepEqual(await pass(1), [5]);
    }
    one.app.released(asConnection(tabs[0]), departures.serverStopped);
    await pass(1);
    open(two.app, "news");
    one.app.stop();
    await one.node.exit(5_000);
    await pass(12);
    assert.deepEqual(await pass(1), [5]);
    assert.deepEqual(data.log, []);
    end();
  });

  it("keeps a channel occupied whose only client moves from a server that stops", async () => {
    const { data, end, open, pass, servers: [one, two] } = await twoServers();
    const tab = open(one.app, "news");
    await pass(3);
    data.log.length = 0;
    one.app.pause();
    one.app.released(asConnection(tab), departures.serverStopped);
    await pass(2);
    open(two.app, "news");
    one.app.stop();
    await one.node.exit(5_000);
    await pass(12);
    assert.deepEqual([await pass(1), data.log], [[1], []]);
    end();
  });

  it("has no connection that was refused after others on another server", async () => {
    const channel = "presence-room";
    const { end, open, pass, servers: [one, two] } = await twoServers();
    open(one.app, channel, member("ann"));
    open(two.app, channel, member("bob"));
    await pass(2);
    for (const id of ["cem", "dan"]) open(one.app, channel, member(id));
    await pass(2);
    assert.deepEqual(await pass(3, channel), [3]);
    end();
  });

  it("is not 0 for a second when its only client leaves and another one comes at once", async () => {
    for (const channel of ["news", "presence-room"]) {
      for (const ticksBetween of [0, 1, 2, 3, 5, 8, 60]) {
        const { data, end, open, pass, servers: [{ app }] } = await twoServers();
        const user = channel === "news" ? undefined : member("ann");
        const tab = open(app, channel, user);
        await pass(3);
        app.released(asConnection(tab), departures.unsubscribed);
        for (let turns = 0; turns < ticksBetween; turns++) await undefined;
        open(app, channel, user);
        await settle();
        const [{ subscribers }] = await data.sizes([`1:${channel}`]);
        assert.equal(subscribers, 1, `${channel}, ${ticksBetween} steps later`);
        end();
      }
    }
  });
});

describe("A user whose tabs on two servers have different user_info", () => {
  it("neither leaves nor joins when Redis restarts empty, whichever server is back first", async () => {
    for (const first of [0, 1]) {
      const { data, end, links, open, pass, servers } = await twoServers();
      const room = "presence-room";
      const infos = ['{"id":"ben"}', '{"id":"ben","name":"Ben"}'];
      const tabs = servers.map(({ app }, index) =>
        open(app, room, { id: "ben", info: infos[index] })
      );
      await pass(12, room);
      for (const tab of tabs) tab.frames.length = 0;
      for (const link of links) link.cut();
      data.loseAll();
      links[first].mend();
      await pass(2, room);
      links[1 - first].mend();
      await pass(25, room);
      assert.deepEqual(tabs.flatMap(({ frames }) => frames), []);
      end();
    }
  });
});
