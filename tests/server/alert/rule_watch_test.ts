import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { recentDeliveries } from "@/server/alert/alert_deliveries.ts";
import { type Facts, newRuleState, type RuleSetting } from "@/server/alert/alert_rules.ts";
import { AlertSender } from "@/server/alert/alert_sender.ts";
import { lookEveryMs, RuleWatch } from "@/server/alert/rule_watch.ts";
import { storeReceiver } from "@/server/alert/stored_receivers.ts";
import { changeRule, listRules, storeRule, storeRuleState } from "@/server/alert/stored_rules.ts";
import type { Database } from "@/server/database/database.ts";
import { History } from "@/server/history/stored_history.ts";
import { minuteMs } from "@/server/history/minute_measure.ts";
import type { NewRecord } from "@/server/history/new_record.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { mostAlertRules } from "@/shared/limits.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { app } from "../../realtime/harness.ts";
import { waitingDeliveries } from "./messages.ts";

const setting: RuleSetting = {
  name: "Empty",
  enabled: true,
  condition: { kind: "empty" },
  holdSeconds: 60,
};

async function addRule(database: Database, change: Partial<RuleSetting> = {}) {
  const state = newRuleState(setting.condition, undefined);
  const entered = { channel: "presence-chart", setting: { ...setting, ...change }, state };
  return await storeRule(database, entered, () => Promise.resolve());
}

async function addReceiver(database: Database, name = "ops") {
  const settings = { url: `https://${name}/` };
  const made = await storeReceiver(database, { name, kind: "webhook", settings, createdBy: "" });
  assert.ok(made);
  return made.id;
}

/** One of several servers, which looks at the rules while it is the leader. */
class RuleSimulation {
  readonly term: LeaderTerm;
  readonly watch: RuleWatch;
  readonly sender: AlertSender;
  readonly sent: string[] = [];
  users = 0;
  isKnown = true;
  newRecord: NewRecord | null = null;

  constructor(readonly database: Database, readonly clock: ManualClock) {
    this.term = new LeaderTerm(database);
    this.sender = new AlertSender({
      database,
      term: this.term,
      send: ({ headers }) => {
        this.sent.push(headers["x-rollcall-delivery"]);
        return Promise.resolve({ status: 200, text: "" });
      },
      app: () => app,
      clock,
      log: () => {},
    });
    this.watch = new RuleWatch({
      database,
      term: this.term,
      facts: () => Promise.resolve(this.isKnown ? this.#facts() : null),
      placeOf: (channel) => ({ channel }),
      wakeSender: () => this.sender.wake(),
      log: ({ error }) => assert.fail(String(error)),
      clock,
    });
  }

  #facts(): Facts {
    return {
      users: this.users,
      active: null,
      peak: () => null,
      usual: null,
      newRecord: this.newRecord,
      has: () => false,
      servers: { alive: 1, known: 1 },
    };
  }

  async lead(): Promise<void> {
    await this.term.begin(() => true);
    this.watch.begin();
  }
}

describeOnDatabase("the rules of several servers", (store) => {
  it("hold on over a change of the leader, and are told once", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    await addReceiver(database);
    await addRule(database);
    const [one, other] = [new RuleSimulation(database, clock), new RuleSimulation(database, clock)];
    await one.lead();
    await one.watch.look();
    clock.advance(4_000);
    await one.watch.look();
    await one.watch.stop();
    clock.advance(56_000);
    await other.lead();
    await other.watch.look();
    await other.watch.look();
    const waiting = await waitingDeliveries(database);
    assert.deepEqual(waiting.map(({ message }) => message.phase), ["active"]);
    other.users = 1;
    await other.watch.look();
    clock.advance(4_000);
    await other.watch.stop();
    const [{ state }] = await listRules(database.queries);
    assert.deepEqual([state.phase, state.pendingSince], ["active", 60_000]);
    assert.equal(clock.timers, 0);
  });

  it("reach receivers though the leader is killed between what it stores and what it sends", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    await addReceiver(database);
    await addRule(database, { holdSeconds: 0 });
    for (let round = 0; round < 20; round++) {
      const before = new RuleSimulation(database, clock);
      const after = new RuleSimulation(database, clock);
      for (const server of [before, after]) server.users = round % 2;
      await before.lead();
      await before.watch.look();
      // It is killed: from here on only its successor does anything.
      await before.watch.stop();
      await after.lead();
      after.sender.begin();
      await after.watch.look();
      await until(async () => (await waitingDeliveries(database)).length === 0);
      await Promise.all([after.watch.stop(), after.sender.stop()]);
      assert.equal(after.sent.length, 1, `round ${round}`);
      assert.deepEqual(before.sent, []);
    }
    const all = await recentDeliveries(database, 100);
    assert.equal(new Set(all.map(({ id }) => id)).size, 20);
  });

  it("tell a new record once over a restart, a second leader and a recovery, and the next one too", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    const day = 86_400_000;
    const start = Date.UTC(2026, 5, 1, 12);
    clock.advance(start);
    await addReceiver(database);
    await addRule(database, { condition: { kind: "record" }, holdSeconds: 0 });
    const history = new History(database);
    const counted = async (users: number, isCertain = true) => {
      const startsAt = clock.date() - clock.date() % minuteMs;
      await history.record({
        ...{ startsAt, mostUsers: users, mostUsersAt: startsAt, fewestUsers: 0, lastUsers: users },
        ...{ lastAt: startsAt + minuteMs, mostConnections: users, measuredMs: minuteMs },
      }, isCertain);
      clock.advance(minuteMs);
    };
    let leader = new RuleSimulation(database, clock);
    const lookAs = async (next: RuleSimulation) => {
      await leader.watch.stop();
      leader = next;
      await leader.lead();
      leader.newRecord = await history.newRecord();
      await leader.watch.look();
      await leader.watch.look();
    };
    const told = async () =>
      (await waitingDeliveries(database)).map(({ message }) => message.users);
    await counted(20);
    await counted(25);
    clock.advance(day);
    // While Redis is away, a number is not certain.
    await counted(40, false);
    await lookAs(new RuleSimulation(database, clock));
    assert.deepEqual(await told(), []);
    await counted(30);
    // It is not known how many are online while users come back.
    const recovering = new RuleSimulation(database, clock);
    recovering.isKnown = false;
    await lookAs(recovering);
    assert.deepEqual(await told(), []);
    await lookAs(new RuleSimulation(database, clock));
    assert.deepEqual(await told(), [30]);
    await lookAs(new RuleSimulation(database, clock));
    await counted(31);
    await lookAs(new RuleSimulation(database, clock));
    assert.deepEqual(await told(), [30]);
    clock.advance(day - 60 * minuteMs);
    await counted(35);
    await lookAs(new RuleSimulation(database, clock));
    assert.deepEqual(await told(), [30, 35]);
    await leader.watch.stop();
  });

  it("are left alone by a server whose term is over", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    await addReceiver(database);
    await addRule(database, { holdSeconds: 0 });
    const [paused, leader] = [
      new RuleSimulation(database, clock),
      new RuleSimulation(database, clock),
    ];
    await paused.lead();
    await leader.term.begin(() => true);
    await paused.watch.look();
    assert.deepEqual(await waitingDeliveries(database), []);
    await paused.watch.stop();
  });

  it("are looked at every five seconds, and not while the number cannot be believed", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    await addReceiver(database);
    await addRule(database, { holdSeconds: 0 });
    const server = new RuleSimulation(database, clock);
    server.isKnown = false;
    await server.lead();
    clock.advance(lookEveryMs);
    await until(() => clock.timers === 1);
    assert.deepEqual(await waitingDeliveries(database), []);
    server.isKnown = true;
    clock.advance(lookEveryMs);
    await until(async () => (await waitingDeliveries(database)).length === 1);
    await server.watch.stop();
  });

  it("tell those who are chosen, and nothing of a setting that was changed meanwhile", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    const [chosen] = [await addReceiver(database, "chosen"), await addReceiver(database, "other")];
    const rule = await addRule(database, { holdSeconds: 0, receivers: [chosen] });
    assert.ok(rule);
    const server = new RuleSimulation(database, clock);
    await server.lead();
    await server.watch.look();
    const waiting = await waitingDeliveries(database);
    assert.deepEqual(waiting.map(({ receiver }) => receiver), [chosen]);
    const off = { setting: { ...rule.setting, enabled: false }, initialState: rule.state };
    await changeRule(database, rule.id, off, () => Promise.resolve());
    server.users = 3;
    await server.watch.look();
    assert.equal((await waitingDeliveries(database)).length, 1);
    await server.watch.stop();
  });

  it("keep what changed while they were looked at", async () => {
    const database = await store.open();
    const rule = await addRule(database, { holdSeconds: 0 });
    assert.ok(rule);
    const active = { ...rule.state, phase: "active" as const, told: "active" as const };
    await database.exclusively((transaction) => storeRuleState(transaction, rule, active));
    // A form that was read before has the name alone.
    const renamed = { ...rule.setting, name: "Renamed" };
    const change = { setting: renamed, initialState: rule.state };
    await changeRule(database, rule.id, change, () => Promise.resolve());
    const [{ setting: { name }, state }] = await listRules(database.queries);
    assert.deepEqual([name, state], ["Renamed", active]);
    const isStored = await database.exclusively((transaction) =>
      storeRuleState(transaction, rule, rule.state)
    );
    assert.equal(isStored, false, "it is of the setting before");
    assert.deepEqual((await listRules(database.queries))[0].state, active);
  });

  it("are told though another one cannot be read", async () => {
    const database = await store.open();
    await addReceiver(database);
    await addRule(database, { holdSeconds: 0 });
    await database.queries.insertInto("alertRule").values([
      { id: "one", channel: "presence-chart", state: "{", createdAt: 1 },
      { id: "two", channel: "presence-chart", state: "{}", createdAt: 1 },
    ]).execute();
    const server = new RuleSimulation(database, new ManualClock());
    await server.lead();
    await server.watch.look();
    await server.watch.stop();
    assert.equal((await waitingDeliveries(database)).length, 1);
  });

  // Berlin goes from 2:00 to 3:00 on 29 March 2026, and from 3:00 back to 2:00 on 25 October.
  const nights: [evening: string, from: string, to: string, over: string][] = [
    ["2026-03-28T20:00:00Z", "22:00", "07:00", "2026-03-29T05:00:00Z"],
    ["2026-03-28T20:00:00Z", "01:00", "02:30", "2026-03-29T01:00:00Z"],
    ["2026-10-24T19:00:00Z", "22:00", "07:00", "2026-10-25T06:00:00Z"],
    ["2026-10-24T19:00:00Z", "01:00", "02:30", "2026-10-25T00:30:00Z"],
  ];
  for (const [evening, from, to, over] of nights) {
    it(`are quiet from ${from} to ${to} in Berlin over a change of the clocks, until ${over}`, async () => {
      const database = await store.open();
      const clock = new ManualClock();
      clock.dateAhead = Date.parse(evening);
      await addReceiver(database);
      await addRule(database, { holdSeconds: 0, quiet: { from, to, zone: "Europe/Berlin" } });
      const server = new RuleSimulation(database, clock);
      server.users = 1;
      await server.lead();
      await server.watch.look();
      const told = async () => (await waitingDeliveries(database)).map(({ message }) => message.at);
      const end = Date.parse(over);
      // Everyone leaves a quarter of an hour before the quiet time is over.
      clock.dateAhead = end - 15 * 60_000;
      server.users = 0;
      await server.watch.look();
      clock.dateAhead = end - 1;
      await server.watch.look();
      assert.deepEqual(await told(), []);
      clock.dateAhead = end;
      await server.watch.look();
      assert.deepEqual(await told(), [end]);
      await server.watch.stop();
    });
  }

  it("are limited", async () => {
    const database = await store.open();
    for (let count = 0; count < mostAlertRules; count++) assert.ok(await addRule(database));
    assert.equal(await addRule(database), null);
  });
});
