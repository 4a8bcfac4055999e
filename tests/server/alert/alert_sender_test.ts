import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import {
  addDeliveries,
  addEndedDeliveries,
  afterAttempt,
  type AlertDelivery,
  giveUpOldest,
  nextDeliveries,
  recentDeliveries,
  refusedForMs,
  triedForMs,
} from "@/server/alert/alert_deliveries.ts";
import { AlertSender } from "@/server/alert/alert_sender.ts";
import type { ServiceAnswer, ServiceRequest } from "@/server/alert/receiver_kinds.ts";
import { changeReceiver, deleteReceiver, storeReceiver } from "@/server/alert/stored_receivers.ts";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { mostAlertReceivers } from "@/shared/limits.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { app } from "../../realtime/harness.ts";
import { begun, waitingDeliveries } from "./messages.ts";

const delivery: AlertDelivery = {
  id: "one",
  receiver: "ops",
  message: begun,
  at: begun.at,
  state: "waiting",
  attempts: 0,
  nextAt: begun.at,
  error: null,
};

describe("a delivery after an attempt", () => {
  const outcomes = fc.record({
    state: fc.constant("failed" as const),
    reason: fc.string(),
    isTemporary: fc.boolean(),
    waitMs: fc.option(fc.nat(3_600_000), { nil: undefined }),
  });

  it("is tried again later, not before the receiver wants it, and given up at last", () => {
    fc.assert(fc.property(fc.array(outcomes, { minLength: 1, maxLength: 400 }), (failures) => {
      let one = delivery;
      let now = delivery.at;
      for (const failure of failures) {
        const before = now;
        one = afterAttempt(one, failure, now);
        assert.equal(one.error, failure.reason);
        const limit = failure.isTemporary ? triedForMs : refusedForMs;
        assert.equal(one.state === "failed", one.nextAt - one.at > limit);
        if (one.state === "failed") return;
        assert.ok(one.nextAt >= before + Math.max(1_000, failure.waitMs ?? 0));
        assert.ok(one.nextAt <= before + Math.max(300_000, failure.waitMs ?? 0));
        now = one.nextAt;
      }
    }));
  });

  it("is over once it was delivered", () => {
    const failed = { ...delivery, attempts: 3, error: "Status 503" };
    const after = afterAttempt(failed, { state: "delivered" }, begun.at + 9_000);
    assert.deepEqual([after.state, after.attempts, after.error], ["delivered", 4, null]);
  });
});

/** What a receiver was sent. */
type Sent = [receiver: string, users: number, id: string];

/** A server that delivers, or stands by. */
class SenderSimulation {
  readonly clock = new ManualClock();
  readonly sender: AlertSender;
  readonly term: LeaderTerm | undefined;
  readonly logged: LogEntry[] = [];

  constructor(
    readonly database: Database,
    readonly answer: (sent: Sent) => ServiceAnswer | Promise<ServiceAnswer>,
    isOneOfSeveral = false,
  ) {
    this.clock.dateAhead = begun.at + 10_000;
    this.term = isOneOfSeveral ? new LeaderTerm(database) : undefined;
    this.sender = new AlertSender({
      database,
      ...this.term && { term: this.term },
      send: async (request) => await this.answer(sentBy(request)),
      app: () => app,
      clock: this.clock,
      log: (entry) => this.logged.push(entry),
    });
  }

  /** Adds messages with these numbers to receivers. */
  async add(receivers: string[], ...numbers: number[]): Promise<void> {
    for (const users of numbers) {
      await this.database.exclusively((transaction) =>
        addDeliveries(transaction, receivers, {
          ...begun,
          at: begun.at + users,
          users,
        })
      );
    }
    this.sender.wake();
  }

  async states(): Promise<string[]> {
    const all = await recentDeliveries(this.database, 100);
    return all.toReversed().map(({ message, state }) => `${message.users} ${state}`);
  }
}

function sentBy({ url, headers, body }: ServiceRequest): Sent {
  const { events: [{ users }] } = JSON.parse(body);
  return [new URL(url).hostname, users, headers["x-rollcall-delivery"]];
}

const taken = { status: 200, text: "" };

/** No message was given up. */
const none = { expired: 0, queueFull: 0, unreadable: 0 };

async function receiver(database: Database, name: string): Promise<string> {
  const settings = { url: `https://${name}/hook` };
  const made = await storeReceiver(database, { name, kind: "webhook", settings, createdBy: "" });
  assert.ok(made);
  return made.id;
}

describeOnDatabase("what waits for receivers", (store) => {
  it("is delivered to each, in order, with an id of its own", async () => {
    const database = await store.open();
    const ids = [await receiver(database, "one"), await receiver(database, "two")];
    const sent: Sent[] = [];
    const server = new SenderSimulation(database, (one) => {
      sent.push(one);
      return taken;
    });
    await server.add(ids, 1, 2, 3);
    server.sender.begin();
    await until(async () => (await waitingDeliveries(database)).length === 0);
    await server.sender.stop();
    for (const name of ["one", "two"]) {
      assert.deepEqual(sent.filter(([to]) => to === name).map(([, users]) => users), [1, 2, 3]);
    }
    assert.equal(new Set(sent.map(([, , id]) => id)).size, 6);
    assert.equal(server.clock.timers, 0);
  });

  it("is looked at one of each recipient, the oldest, though many wait for one", async () => {
    const database = await store.open();
    const [ada, ben, hook] = ["ops/ada@example.com", "ops/ben@example.com", "hook"];
    const server = new SenderSimulation(database, () => taken);
    await server.add([ada], 3, 1, 2);
    await server.add([ben], 5, 4);
    await server.add([hook], 6);
    const { deliveries } = await nextDeliveries(database.queries);
    assert.deepEqual(
      deliveries.map(({ receiver, message }) => [receiver, message.users]),
      [[ada, 1], [ben, 4], [hook, 6]],
    );
  });

  it("is counted when it is given up, also unsent: too many wait, or it cannot be read", async () => {
    const database = await store.open();
    const id = await receiver(database, "one");
    const server = new SenderSimulation(database, () => ({ status: 404, text: "" }));
    const rows = Array.from({ length: 1_003 }, (_, users) => {
      const at = begun.at + users;
      const message = users === 1_002 ? "{" : JSON.stringify({ ...begun, at, users });
      return { ...delivery, id: `${users}`, receiver: users === 1_002 ? "gone" : id, message, at };
    });
    await database.queries.insertInto("alertDelivery").values(rows).execute();
    server.sender.begin();
    await until(() => server.sender.stats.failedAttempts === 1);
    await server.sender.stop();
    assert.deepEqual(server.sender.stats.givenUp, { expired: 0, queueFull: 3, unreadable: 1 });
    assert.deepEqual(
      server.logged.filter(({ message }) => message === "Alerts given up unsent")
        .map(({ reason, messages }) => [reason, messages]),
      [["queueFull", 3], ["unreadable", 1]],
    );
  });

  it("waits for a receiver that is away, and does not hold up the others", async () => {
    const database = await store.open();
    const ids = [await receiver(database, "away"), await receiver(database, "here")];
    const sent: Sent[] = [];
    let isAway = true;
    const server = new SenderSimulation(database, (one) => {
      sent.push(one);
      return one[0] === "away" && isAway ? { status: 429, retryAfter: "60", text: "" } : taken;
    });
    server.sender.begin();
    await server.add(ids, 1, 2);
    await until(() => sent.length === 3);
    await until(() => server.clock.timers === 1);
    server.clock.advance(59_990);
    server.sender.wake();
    await until(() => server.clock.timers === 1);
    assert.equal(sent.length, 3, "it asked for a minute");
    isAway = false;
    server.clock.advance(20);
    await until(async () => (await waitingDeliveries(database)).length === 0);
    await server.sender.stop();
    assert.deepEqual(sent.map(([to, users]) => `${to} ${users}`).toSorted(), [
      "away 1",
      "away 1",
      "away 2",
      "here 1",
      "here 2",
    ]);
    assert.equal(
      new Set(sent.filter(([to, users]) => to === "away" && users === 1).map(([, , id]) => id))
        .size,
      1,
      "an attempt that is repeated has the same id",
    );
    const messages = server.logged.map(({ message }) => message);
    assert.deepEqual(messages, ["Alert not delivered", "Alert delivered again"]);
    assert.ok(!JSON.stringify(server.logged).includes("/hook"), "no path of a URL is logged");
  });

  it("is not sent again by a server whose database failed meanwhile", async () => {
    const database = await store.open();
    const id = await receiver(database, "one");
    const sent: Sent[] = [];
    const server = new SenderSimulation(database, async (one) => {
      sent.push(one);
      await store.query(`alter table "alertDelivery" rename to "away"`);
      return taken;
    });
    await server.add([id], 1);
    server.sender.begin();
    await until(() => server.logged.length === 1 && server.clock.timers === 1);
    await store.query(`alter table "away" rename to "alertDelivery"`);
    server.clock.advance(5_000);
    await until(async () => (await server.states())[0] === "1 delivered");
    await server.sender.stop();
    assert.equal(sent.length, 1);
  });

  it("reaches others though the first cannot be read, which is given up", async () => {
    const database = await store.open();
    const id = await receiver(database, "one");
    const sent: Sent[] = [];
    const server = new SenderSimulation(database, (one) => {
      sent.push(one);
      return taken;
    });
    const { queries } = database;
    const row = { ...delivery, receiver: id, at: 1, nextAt: 1 };
    await queries.insertInto("alertDelivery").values([
      { ...row, id: "no-json", message: "{" },
      { ...row, id: "another-form", message: '{"rule":1}' },
    ]).execute();
    const settings = "{";
    const bad = { id: "bad", name: "Bad", kind: "webhook", settings, createdAt: 1, createdBy: "" };
    await queries.insertInto("alertReceiver").values(bad).execute();
    await server.add([id], 1);
    server.sender.begin();
    await until(async () => (await server.states())[0] === "1 delivered");
    await server.sender.stop();
    const rows = await queries.selectFrom("alertDelivery").select(["id", "state"])
      .where("id", "in", ["no-json", "another-form"]).execute();
    assert.deepEqual(rows.map(({ state }) => state), ["failed", "failed"]);
  });

  it("is forgotten with its receiver, and goes on to one that was changed", async () => {
    const database = await store.open();
    const [gone, kept] = [await receiver(database, "gone"), await receiver(database, "kept")];
    const sent: Sent[] = [];
    const server = new SenderSimulation(database, (one) => {
      sent.push(one);
      return taken;
    });
    await server.add([gone, kept], 1);
    await deleteReceiver(database, gone);
    const settings = { url: "https://moved/hook" };
    await changeReceiver(database, kept, { name: "Moved", kind: "webhook", settings });
    server.sender.begin();
    await until(() => sent.length === 1);
    await server.sender.stop();
    assert.equal(sent[0][0], "moved");
  });

  it("is limited, and so is what is kept of it", async () => {
    const database = await store.open();
    const id = await receiver(database, "one");
    /** Rows as they are stored, many at once. */
    const rows = (count: number, state: AlertDelivery["state"], after: number) =>
      Array.from({ length: count }, (_, users) => {
        const at = begun.at + after + users;
        const message = JSON.stringify({ ...begun, at, users });
        return {
          ...delivery,
          id: `${state} ${users}`,
          receiver: id,
          message,
          at,
          nextAt: at,
          state,
        };
      });
    const { queries } = database;
    await queries.insertInto("alertDelivery").values(rows(1_000, "waiting", 0)).execute();
    await queries.insertInto("alertDelivery").values(rows(200, "delivered", 2_000)).execute();
    const next = { ...begun, at: begun.at + 5_000, users: 5_000 };
    await database.exclusively(async (transaction) => {
      await addDeliveries(transaction, [id], next);
      await addDeliveries(transaction, [id], next);
      assert.equal(await giveUpOldest(transaction), 2);
    });
    const waiting = await waitingDeliveries(database);
    assert.deepEqual([waiting.length, waiting[0].message.users], [1_000, 2]);
    const ended = { receiver: id, state: "delivered" as const, error: null };
    await database.exclusively((transaction) => addEndedDeliveries(transaction, [ended], next));
    const all = await recentDeliveries(database, 2_000);
    assert.equal(all.filter(({ state }) => state !== "waiting").length, 200);
    for (let count = 1; count < mostAlertReceivers; count++) await receiver(database, `r${count}`);
    const entered = { name: "x", kind: "webhook" as const, settings: { url: "https://x/" } };
    assert.equal(await storeReceiver(database, { ...entered, createdBy: "" }), null);
  });
});

describeOnDatabase("what waits for receivers of several servers", (store) => {
  it("is as the leader between stored it, whatever one before could not store", async () => {
    const database = await store.open();
    const id = await receiver(database, "one");
    const first = new SenderSimulation(database, async () => {
      await store.query(`alter table "alertDelivery" rename to "away"`);
      return { status: 503, text: "Not yet" };
    }, true);
    await first.term!.begin(() => true);
    await first.add([id], 1);
    first.sender.begin();
    await until(() => first.logged.some(({ level }) => level === "error"));
    await first.sender.stop();
    await store.query(`alter table "away" rename to "alertDelivery"`);
    const second = new SenderSimulation(database, () => taken, true);
    await second.term!.begin(() => true);
    second.sender.begin();
    await until(async () => (await second.states())[0] === "1 delivered");
    await second.sender.stop();
    await first.term!.begin(() => true);
    first.sender.begin();
    await until(() => first.clock.timers === 0);
    await first.sender.stop();
    assert.deepEqual(await first.states(), ["1 delivered"]);
    assert.deepEqual([first.sender.stats, second.sender.stats], [
      { waiting: 0, delivered: 0, failedAttempts: 1, givenUp: none },
      { waiting: 0, delivered: 1, failedAttempts: 0, givenUp: none },
    ]);
  });

  it("reaches them at least once though each leader ends at any moment, and once if none does", async () => {
    const database = await store.open();
    const id = await receiver(database, "one");
    for (let round = 0; round < 20; round++) {
      const sent: Sent[] = [];
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      const never = new Promise<ServiceAnswer>(() => {});
      // The first leader ends before it sends, while it waits for the answer, or after it was answered.
      const end = round % 3;
      const first = new SenderSimulation(database, (one) => {
        sent.push(one);
        resolve();
        return end === 1 ? never : taken;
      }, true);
      const second = new SenderSimulation(database, (one) => {
        sent.push(one);
        return taken;
      }, true);
      await first.term!.begin(() => true);
      await first.add([id], round);
      if (end > 0) {
        first.sender.begin();
        await asked;
      }
      // A killed leader stores nothing any more: the term of the next has begun.
      await second.term!.begin(() => true);
      second.sender.begin();
      await until(async () => (await waitingDeliveries(database)).length === 0);
      assert.ok(sent.length >= 1 && sent.length <= 2, `round ${round}: ${sent.length}`);
      assert.equal(new Set(sent.map(([, , one]) => one)).size, 1, "a repetition has the same id");
      if (end === 0) assert.equal(sent.length, 1);
      await Promise.all([second.sender.stop(), end === 1 || first.sender.stop()]);
    }
  });
});
