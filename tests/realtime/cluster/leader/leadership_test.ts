import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Leadership, leaderUntil, notLeader } from "@/realtime/cluster/leader/leadership.ts";
import { entryFields, readEntry } from "@/realtime/cluster/leader/log_entry.ts";
import { memberText } from "@/realtime/cluster/messages/room_message.ts";
import type { ServerEvent } from "@/realtime/server.ts";
import { ManualClock } from "../../manual_clock.ts";
import { FrozenClock, type Network, SharedLeadership } from "./shared_leadership.ts";
import { partOf } from "../../../fixtures/doubles.ts";

const leaseMs = 5_000;

/** Nodes that ask one Redis for leadership. */
class LeadershipSimulation {
  readonly clock = new ManualClock();
  readonly redis = new SharedLeadership(this.clock);
  readonly reports: string[] = [];

  node(name: string, network: Network = {}, clock = new FrozenClock(this.clock)) {
    const leadership = new Leadership({
      state: partOf(this.redis.seenThrough(network, clock)),
      node: () => name,
      started: () => this.reports.push(`${name} leads`),
      ended: () => {
        this.reports.push(`${name} ends`);
        return Promise.resolve();
      },
      log: () => {},
      clock,
      leaseMs,
    });
    return { leadership, clock, network };
  }

  async pass(milliseconds: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += stepMs) {
      this.clock.advance(stepMs);
      await settled();
    }
  }
}

/** Lets promises that are fulfilled call back, in chains as long as those here. */
async function settled(): Promise<void> {
  for (let step = 0; step < 12; step++) await Promise.resolve();
}

describe("leadership", () => {
  it("is the first node's until the node stops, and then the next one's at its next request", async () => {
    const simulation = new LeadershipSimulation();
    const [one, two] = [simulation.node("one"), simulation.node("two")];
    one.leadership.start();
    await simulation.pass(100);
    two.leadership.start();
    await simulation.pass(60_000);
    assert.deepEqual(simulation.reports, ["one leads"]);
    assert.deepEqual([one.leadership.isLeader, two.leadership.isLeader], [true, false]);
    const stopping = one.leadership.stop();
    await simulation.pass(700);
    await stopping;
    assert.deepEqual(simulation.reports, ["one leads", "one ends", "two leads"]);
    const stoppingToo = two.leadership.stop();
    await simulation.pass(50);
    await stoppingToo;
    assert.equal(simulation.clock.timers, 0);
  });

  it("moves within 6 s of a node's death", async () => {
    const simulation = new LeadershipSimulation();
    const one = simulation.node("one", { delayMs: 40 });
    const two = simulation.node("two", { delayMs: 40 });
    one.leadership.start();
    await simulation.pass(100);
    two.leadership.start();
    await simulation.pass(3_210);
    one.network.isCut = true;
    one.clock.freeze();
    await simulation.pass(6_000);
    assert.ok(two.leadership.isLeader);
    assert.equal(one.leadership.isLeader, false, "it is not, though its timers are late");
    assert.deepEqual(simulation.reports, ["one leads", "two leads"]);
    one.clock.continue();
    await simulation.pass(50);
    assert.deepEqual(simulation.reports, ["one leads", "two leads", "one ends"]);
  });

  it("ends before the lease does when Redis does not answer, and begins again with it", async () => {
    const simulation = new LeadershipSimulation();
    const { leadership, network } = simulation.node("one");
    leadership.start();
    await simulation.pass(2_000);
    network.isCut = true;
    await simulation.pass(4_700);
    assert.deepEqual(simulation.reports, ["one leads", "one ends"]);
    assert.equal(simulation.redis.holder, "one");
    network.isCut = false;
    await simulation.pass(1_000);
    assert.deepEqual(simulation.reports, ["one leads", "one ends", "one leads"]);
  });

  it("is given up only when the tasks have ended", async () => {
    const simulation = new LeadershipSimulation();
    const tasks = Promise.withResolvers<void>();
    const leadership = new Leadership({
      state: partOf(simulation.redis),
      node: () => "one",
      clock: simulation.clock,
      leaseMs,
      started: () => {},
      ended: () => tasks.promise,
      log: () => {},
    });
    leadership.start();
    await simulation.pass(1_000);
    const stopping = leadership.stop();
    await simulation.pass(1_000);
    assert.deepEqual([leadership.isLeader, simulation.redis.holder], [false, "one"]);
    tasks.resolve();
    await stopping;
    assert.equal(simulation.redis.holder, undefined);
  });

  it("is not given up by tasks that last longer than the lease, and does not wait for them", async () => {
    const simulation = new LeadershipSimulation();
    const leadership = new Leadership({
      state: partOf(simulation.redis),
      node: () => "one",
      clock: simulation.clock,
      leaseMs,
      started: () => {},
      ended: () => new Promise(() => {}),
      log: () => {},
    });
    leadership.start();
    await simulation.pass(1_000);
    const stopping = leadership.stop();
    await simulation.pass(leaseMs);
    await stopping;
    assert.equal(simulation.redis.resigned, 0);
  });

  it("is never two nodes', whatever is cut, late or frozen, and by clocks that differ", async () => {
    const fault = fc.record({
      node: fc.nat(2),
      kind: fc.constantFrom("cut", "lost answers", "slow", "frozen"),
      afterMs: fc.integer({ min: 0, max: 4_000 }),
      forMs: fc.integer({ min: 100, max: 9_000 }),
    });
    const speeds = fc.tuple(speed, speed, speed);
    await fc.assert(
      fc.asyncProperty(speeds, fc.array(fault, { maxLength: 12 }), async (speeds, faults) => {
        const simulation = new LeadershipSimulation();
        const nodes = speeds.map((speed, index) =>
          simulation.node(
            `${index}`,
            { delayMs: 10 * index },
            new FrozenClock(simulation.clock, speed),
          )
        );
        for (const { leadership } of nodes) leadership.start();
        const pass = async (milliseconds: number) => {
          for (let passed = 0; passed < milliseconds; passed += 100) {
            await simulation.pass(100, 100);
            const leading = nodes.filter(({ leadership, clock }) =>
              leadership.isLeader && !clock.isFrozen
            );
            for (const { leadership } of leading) {
              const index = nodes.findIndex((node) => node.leadership === leadership);
              assert.equal(simulation.redis.holder, `${index}`);
            }
          }
        };
        for (const { node, kind, afterMs, forMs } of faults) {
          await pass(afterMs);
          const { network, clock } = nodes[node];
          if (kind === "cut") network.isCut = true;
          if (kind === "lost answers") network.losesAnswers = true;
          if (kind === "slow") network.delayMs = forMs / 2;
          if (kind === "frozen") clock.freeze();
          simulation.clock.after(forMs, () => {
            Object.assign(network, { isCut: false, losesAnswers: false, delayMs: 10 * node });
            clock.continue();
          });
        }
        await pass(30_000);
        assert.equal(nodes.filter(({ leadership }) => leadership.isLeader).length, 1);
      }),
      { numRuns: 100 },
    );
  });
});

/** How fast a node's clock runs beside Redis'. */
const speed = fc.integer({ min: 975, max: 1_025 }).map((thousandths) => thousandths / 1_000);

describe("the time of a leader", () => {
  it("lasts for less than the lease, counted from the request", () => {
    const until = leaderUntil(notLeader, { askedAt: 10, answeredAt: 50, answer: "given" }, 1_000);
    assert.equal(until, 960);
  });

  it("does not begin with an answer that comes after the lease", () => {
    const late = { askedAt: 10, answeredAt: 960, answer: "given" } as const;
    assert.equal(leaderUntil(notLeader, late, 1_000), notLeader);
  });

  it("stays as it is after a request that failed, until it is over", () => {
    const failed = { askedAt: 10, answer: "unknown" } as const;
    assert.equal(leaderUntil(500, { ...failed, answeredAt: 499 }, 1_000), 500);
    assert.equal(leaderUntil(500, { ...failed, answeredAt: 500 }, 1_000), notLeader);
  });

  it("ends when Redis refuses it", () => {
    const refused = { askedAt: 10, answeredAt: 20, answer: "refused" } as const;
    assert.equal(leaderUntil(500, refused, 1_000), notLeader);
  });
});

const id = "1700000000123-4";

describe("an entry of the log", () => {
  const join = '{"name":"member_added","app":"shop","channel":"presence-a","user":"7","at":5}';
  const leave =
    '{"name":"member_removed","app":"shop","channel":"presence-a","user":"7","reason":"closed"}';

  it("is a join with its member, at the time that it states", () => {
    const member = { id: "7", info: '{"a":1}', options: { name: "Ada" } };
    const fields = ["v", "1", "e", join, "m", memberText(member)];
    assert.deepEqual(readEntry(id, fields), {
      logged: {
        id,
        at: 5,
        appId: "shop",
        event: {
          name: "member_added",
          channel: "presence-a",
          userId: "7",
          member,
        },
      },
    });
  });

  it("is a leave, with or without its member, at the time of its id", () => {
    const event = { name: "member_removed", channel: "presence-a", userId: "7", reason: "closed" };
    const logged = { id, at: 1_700_000_000_123, appId: "shop" };
    assert.deepEqual(readEntry(id, ["v", "1", "e", leave]), { logged: { ...logged, event } });
    const withMember = readEntry(id, ["v", "1", "e", leave, "m", '{"id":"7","info":"{}"}']);
    const member = { id: "7", info: "{}" };
    assert.deepEqual(withMember, { logged: { ...logged, event: { ...event, member } } });
  });

  it("is what a node has written", () => {
    const events: ServerEvent[] = [
      { name: "cache_miss", channel: "cache-a" },
      { name: "subscription_count", channel: "room", count: 3 },
      {
        name: "client_event",
        channel: "presence-a",
        event: "client-typed",
        data: { text: "😀\n" },
        socketId: "1.2",
        userId: "7",
      },
      {
        name: "client_event",
        channel: "private-a",
        event: "client-typed",
        data: null,
        socketId: "1.2",
        userId: undefined,
      },
    ];
    for (const event of events) {
      const read = readEntry(id, entryFields(event, "shop"));
      assert.ok("logged" in read);
      assert.deepEqual(read.logged.event, event);
      assert.equal(read.logged.appId, "shop");
    }
  });

  it("of a later version is known as such", () => {
    assert.deepEqual(readEntry(id, ["v", "3", "e", join]), { fault: "later" });
  });

  it("that is an update of a member is read with the member", () => {
    const update = join.replace("member_added", "member_updated");
    const member = { id: "7", info: '{"n":1}', isUpdated: true };
    const read = readEntry(id, ["v", "2", "e", update, "m", JSON.stringify(member)]);
    const event = { name: "member_updated", channel: "presence-a", userId: "7", member };
    assert.deepEqual("logged" in read && read.logged.event, event);
  });

  it("that is a leave for a reason of a later release is one of a removed user", () => {
    const read = readEntry(id, ["v", "1", "e", leave.replace("closed", "bored")]);
    const event = { name: "member_removed", channel: "presence-a", userId: "7", reason: "removed" };
    assert.deepEqual("logged" in read && read.logged.event, event);
  });

  const malformed: [string, string[]][] = [
    ["no fields", []],
    ["a field without a value", ["v"]],
    ["no event", ["v", "1"]],
    ["an event that is no JSON", ["v", "1", "e", "{"]],
    ["an unknown name", ["v", "1", "e", join.replace("member_added", "member_moved")]],
    ["a join without a member", ["v", "1", "e", join]],
    ["a join with a damaged member", ["v", "1", "e", join, "m", '{"id":"7","info":']],
    ["a version that is no number", ["v", "one", "e", leave]],
    ["a version before the first", ["v", "0", "e", leave]],
    ["a user id that is too long", ["v", "1", "e", leave.replace('"7"', `"${"7".repeat(129)}"`)]],
  ];
  for (const [name, fields] of malformed) {
    it(`with ${name} is malformed`, () => {
      assert.deepEqual(readEntry(id, fields), { fault: "malformed" });
    });
  }

  it("never throws, whatever its fields are", () => {
    fc.assert(fc.property(fc.array(fc.string()), fc.json(), (fields, json) => {
      readEntry(id, fields);
      readEntry(id, ["v", "1", "e", json, "m", json]);
    }));
  });
});
