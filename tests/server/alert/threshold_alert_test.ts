import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { readAlert } from "@/server/alert/stored_alert.ts";
import { ThresholdAlert, type ThresholdAlertOptions } from "@/server/alert/threshold_alert.ts";
import type { PresenceCounts } from "@/realtime/server.ts";
import { recentDeliveries } from "@/server/alert/alert_deliveries.ts";
import { webhookBody } from "@/server/alert/alert_message.ts";
import { AlertSender } from "@/server/alert/alert_sender.ts";
import { sendToPublicAddress } from "@/server/alert/alert_webhook.ts";
import { listReceivers, receiverOfUrl, storeReceiver } from "@/server/alert/stored_receivers.ts";
import { mostAlertReceivers } from "@/shared/limits.ts";
import { parseNetwork } from "@/server/net/client_address.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { AlertView } from "@/shared/alert.ts";
import { onlineKey } from "@/shared/counted.ts";
import { describeOnDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { app, until } from "../../realtime/harness.ts";
import { Receiver } from "../../realtime/webhooks/harness.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { waitingDeliveries } from "./messages.ts";

/** How long after a start no crossing is reported, in ms. */
const settled = 30_000;

/** A server that alerts, from its start to its stop. */
class ThresholdAlertSimulation implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly received: AlertView[] = [];
  /** Whether an admin's page listens. */
  watched = true;
  mayReceive = (_url: string) => true;
  alert!: ThresholdAlert;
  sender!: AlertSender;
  database!: Database;
  #users = 0;
  #guests = 0;
  #active: number | null = null;
  #listener: (counts: PresenceCounts) => void = () => {};
  #activeListener = () => {};

  private constructor(
    readonly channel = { key: onlineKey, appId: app.id, channel: onlineKey, isOwn: true },
  ) {}

  static async start(
    store: TestDatabase,
    channel?: ThresholdAlertSimulation["channel"],
    [users, guests] = [0, 0],
  ): Promise<ThresholdAlertSimulation> {
    const server = new ThresholdAlertSimulation(channel);
    [server.#users, server.#guests] = [users, guests];
    await server.#start(store);
    return server;
  }

  async #start(store: TestDatabase): Promise<void> {
    const database = this.database = await store.open();
    const isFirst = await readAlert(database, this.channel.key) === null;
    this.alert = await ThresholdAlert.open({
      database,
      channel: this.channel,
      presence: this.#presence(),
      isWatched: () => this.watched,
      publish: (view) => this.received.push(view),
      wakeSender: () => this.sender.wake(),
      log: ({ message }) => assert.fail(message),
      mayReceive: (url) => Promise.resolve(this.mayReceive(url)),
      recovery: partOf({
        whenOver: (callback) => {
          if (isFirst) callback();
          return isFirst ? () => {} : this.clock.after(settled, callback);
        },
      }),
      clock: this.clock,
    });
    this.sender = new AlertSender({
      database,
      send: sendToPublicAddress([parseNetwork("127.0.0.1")!]),
      app: () => app,
      // Requests take real time.
      clock: { ...systemClock, date: this.clock.date },
      log: () => {},
    });
    this.sender.begin();
  }

  #presence(): ThresholdAlertOptions["presence"] {
    const counts = () => {
      const [users, guests] = [this.#users, this.#guests];
      return { users, ...guests > 0 && { guests }, connections: users };
    };
    const active = () => this.#active;
    return partOf({
      get counts() {
        return counts();
      },
      get active() {
        return active();
      },
      onActiveUsers: (listener) => {
        this.#activeListener = listener;
        return () => this.#activeListener = () => {};
      },
      onPresence: (listener) => {
        this.#listener = listener;
        return () => this.#listener = () => {};
      },
    });
  }

  count(...counts: number[]): void {
    for (const users of counts) {
      this.#users = users;
      this.#listener({ users, connections: users });
    }
    this.clock.advance(50);
  }

  /** Counts users with guests among them. */
  countApart(users: number, guests: number): void {
    [this.#users, this.#guests] = [users, guests];
    this.#listener({ users, ...guests > 0 && { guests }, connections: users });
    this.clock.advance(50);
  }

  countActive(active: number | null): void {
    this.#active = active;
    this.#activeListener();
    this.clock.advance(50);
  }

  /** Waits until this many messages are stored as delivered. */
  async delivered(messages: number): Promise<void> {
    await until(async () => {
      const all = await recentDeliveries(this.database, 100);
      return all.filter(({ state }) => state === "delivered").length === messages;
    }, `${messages} messages were delivered`);
  }

  /** Waits until this many crossings are stored. */
  async stored(crossings: number): Promise<void> {
    await until(
      () => this.alert.state?.crossings.length === crossings,
      `${crossings} crossings were stored`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.alert.stop();
    await this.sender.stop();
  }
}

describeOnDatabase("the alert at a number of users", (store) => {
  const setting = { enabled: true, users: 3, direction: "up", holdSeconds: 0 };

  it("sends begin and end to the webhook in one signed request each, and to admins' pages", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store);
    assert.ok((await server.alert.change({ ...setting, webhookUrl: receiver.url })).ok);
    server.count(2, 3);
    await server.delivered(1);
    server.count(4, 5, 2);
    await server.delivered(2);
    const event = { channel: "presence-chart", direction: "up", threshold: 3 };
    assert.deepEqual(receiver.events(), [
      { name: "users_online_threshold", ...event, users: 3 },
      { name: "users_online_normal", ...event, users: 2 },
    ]);
    const threshold = { users: 3, direction: "up", holdSeconds: 0 };
    assert.deepEqual(server.received, [
      { threshold, phase: "normal", since: null },
      { threshold, phase: "active", since: 0 },
      { threshold, phase: "normal", since: 50 },
    ]);
  });

  it("is about active users only where it is set so, and says while their number is not known", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store);
    server.count(9);
    const down = { ...setting, direction: "down", onlyActive: true, webhookUrl: receiver.url };
    assert.ok((await server.alert.change(down)).ok);
    for (const active of [3, 2]) server.countActive(active);
    await server.delivered(1);
    server.countActive(4);
    await server.delivered(2);
    for (const active of [5, null, null]) server.countActive(active);
    const event = { channel: "presence-chart", direction: "down", threshold: 3 };
    assert.deepEqual(receiver.events(), [
      { name: "users_active_threshold", ...event, users: 2 },
      { name: "users_active_normal", ...event, users: 4 },
    ]);
    const threshold = { users: 3, direction: "down", holdSeconds: 0, onlyActive: true };
    assert.deepEqual(server.received, [
      { threshold, phase: "normal", since: null, isWaiting: true },
      { threshold, phase: "normal", since: null },
      { threshold, phase: "active", since: 100 },
      { threshold, phase: "normal", since: 150 },
      { threshold, phase: "normal", since: 150, isWaiting: true },
    ]);
    server.countActive(1);
    const test = server.alert.testMessage({ users: 5, direction: "up", onlyActive: true });
    assert.deepEqual(JSON.parse(webhookBody(test)).events, [
      {
        ...event,
        name: "users_active_threshold",
        direction: "up",
        threshold: 5,
        users: 1,
        test: true,
      },
    ]);
  });

  it("says how many of the users were guests at each crossing, where there were any", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store);
    assert.ok((await server.alert.change({ ...setting, webhookUrl: receiver.url })).ok);
    const crossings: [users: number, guests: number][] = [[9, 7], [2, 1], [5, 0]];
    for (const [index, [users, guests]] of crossings.entries()) {
      server.countApart(users, guests);
      await server.delivered(index + 1);
    }
    const event = { channel: "presence-chart", direction: "up", threshold: 3 };
    assert.deepEqual(receiver.events(), [
      { name: "users_online_threshold", ...event, users: 9, guests: 7 },
      { name: "users_online_normal", ...event, users: 2, guests: 1 },
      { name: "users_online_threshold", ...event, users: 5 },
    ]);
    assert.deepEqual(
      (await readAlert(await store.open()))?.crossings.map(({ users, guests }) => [users, guests]),
      [[5, undefined], [2, 1], [9, 7]],
    );
  });

  it("says so of guests who were there before it began to watch", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store, undefined, [9, 7]);
    assert.ok((await server.alert.change({ ...setting, webhookUrl: receiver.url })).ok);
    server.clock.advance(50);
    await server.delivered(1);
    assert.deepEqual(receiver.events().map(({ users, guests }) => [users, guests]), [[9, 7]]);
    const { users, guests } = server.alert.testMessage({ users: 5, direction: "up" });
    assert.deepEqual([users, guests], [9, 7]);
  });

  it("tells no guests of active users, of whom it is not known who is one", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store);
    const onlyActive = { ...setting, onlyActive: true, webhookUrl: receiver.url };
    assert.ok((await server.alert.change(onlyActive)).ok);
    server.countApart(9, 7);
    server.countActive(4);
    await server.delivered(1);
    assert.deepEqual(receiver.events().map(({ users, guests }) => [users, guests]), [
      [4, undefined],
    ]);
  });

  it("keeps its state over a restart, and reports nothing twice", async () => {
    await using receiver = new Receiver();
    {
      await using server = await ThresholdAlertSimulation.start(store);
      await server.alert.change({ ...setting, webhookUrl: receiver.url });
      server.count(3);
      await server.delivered(1);
    }
    await using server = await ThresholdAlertSimulation.start(store);
    assert.deepEqual(server.alert.view, {
      threshold: { users: 3, direction: "up", holdSeconds: 0 },
      phase: "active",
      since: 0,
    });
    server.count(1, 2, 3);
    server.clock.advance(settled);
    server.count(4, 2);
    await server.delivered(2);
    assert.deepEqual(receiver.events().map(({ name, users }) => [name, users]), [
      ["users_online_threshold", 3],
      ["users_online_normal", 2],
    ]);
  });

  it("delivers once after a restart what the receiver refused before", async () => {
    await using receiver = new Receiver();
    receiver.answer = () => new Response(null, { status: 503 });
    {
      await using server = await ThresholdAlertSimulation.start(store);
      server.count(2);
      const down = { ...setting, users: 2, direction: "down", webhookUrl: receiver.url };
      await server.alert.change(down);
      server.count(1);
      await until(() => receiver.deliveries.length === 1);
    }
    receiver.deliveries.length = 0;
    receiver.answer = () => new Response("ok");
    await using server = await ThresholdAlertSimulation.start(store);
    // It was refused for now, and is due again after a second.
    server.clock.advance(2_000);
    server.sender.wake();
    await server.delivered(1);
    assert.deepEqual(receiver.events().map(({ direction }) => direction), ["down"]);
  });

  it("has its message in the store with the crossing, as a kill may come next", async () => {
    await using receiver = new Receiver();
    const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
    receiver.answer = () => answered;
    await using server = await ThresholdAlertSimulation.start(store);
    await server.alert.change({ ...setting, webhookUrl: receiver.url });
    server.count(3);
    await server.stored(1);
    const waiting = async () => (await waitingDeliveries(server.database));
    assert.deepEqual((await waiting()).map(({ message }) => message.users), [3]);
    answer(new Response("ok"));
    await until(async () => (await waiting()).length === 0);
  });

  it("takes no webhook that it may not send to, and keeps the setting before", async () => {
    await using server = await ThresholdAlertSimulation.start(store);
    server.mayReceive = (url) => url !== "http://10.0.0.1/";
    const refused = await server.alert.change({ ...setting, webhookUrl: "http://10.0.0.1/" });
    assert.equal(refused.ok ? "" : refused.field, "webhookUrl");
    const receivers = () => listReceivers(server.database.queries);
    assert.deepEqual([server.alert.state, await receivers()], [null, []]);
    assert.ok((await server.alert.change({ ...setting, webhookUrl: "http://10.0.0.2/" })).ok);
    assert.ok((await server.alert.change({ ...setting, webhookUrl: "http://10.0.0.2/" })).ok);
    const [{ id, kind }, ...more] = await receivers();
    assert.deepEqual([kind, more, server.alert.state?.setting.receivers], ["webhook", [], [id]]);
  });

  it("takes no webhook beyond the limit of receivers, and keeps the setting before", async () => {
    await using server = await ThresholdAlertSimulation.start(store);
    await server.alert.change(setting);
    for (let count = 0; count < mostAlertReceivers; count++) {
      await storeReceiver(server.database, {
        ...receiverOfUrl(`https://example.com/${count}`),
        createdBy: "",
      });
    }
    const webhookUrl = "https://example.com/more";
    const refused = await server.alert.change({ ...setting, users: 9, webhookUrl });
    assert.ok(!refused.ok && refused.field === "webhookUrl");
    assert.match(refused.message, /20 receivers\. Delete one/);
    assert.equal(server.alert.state?.setting.users, setting.users);
    const known = { ...setting, webhookUrl: "https://example.com/1" };
    assert.ok((await server.alert.change(known)).ok);
  });

  it("tells receivers after quiet hours what still holds, and pages at once", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store);
    // It is 1970, and midnight.
    const quiet = { from: "23:00", to: "00:30", zone: "UTC" };
    await server.alert.change({ ...setting, webhookUrl: receiver.url, quiet });
    // One that begins and ends in quiet hours is not told.
    for (const users of [3, 0, 4]) server.count(users);
    await server.stored(3);
    assert.equal(server.alert.view.phase, "active");
    assert.deepEqual(await recentDeliveries(server.database, 10), []);
    server.clock.advance(20 * 60_000);
    server.count(5);
    server.clock.advance(15_000);
    assert.deepEqual(await recentDeliveries(server.database, 10), []);
    server.clock.advance(10 * 60_000);
    await server.delivered(1);
    const [event] = receiver.events();
    assert.deepEqual([event.name, event.users], ["users_online_threshold", 5]);
    server.clock.advance(60_000);
    server.count(0);
    await server.delivered(2);
    assert.equal(receiver.events()[1].name, "users_online_normal");
    await server.stored(4);
  });

  it("tells what quiet hours kept back although the number stays the same", async () => {
    await using receiver = new Receiver();
    await using server = await ThresholdAlertSimulation.start(store);
    const quiet = { from: "23:00", to: "00:30", zone: "UTC" };
    await server.alert.change({ ...setting, webhookUrl: receiver.url, quiet });
    server.count(3);
    await server.stored(1);
    server.clock.advance(31 * 60_000);
    await server.delivered(1);
    assert.deepEqual(receiver.events().map(({ users }) => users), [3]);
  });

  it("tells what quiet hours kept back although the server was restarted meanwhile", async () => {
    await using receiver = new Receiver();
    const quiet = { from: "23:00", to: "00:30", zone: "UTC" };
    {
      await using server = await ThresholdAlertSimulation.start(store);
      await server.alert.change({ ...setting, webhookUrl: receiver.url, quiet });
      server.count(3);
      await server.stored(1);
    }
    await using server = await ThresholdAlertSimulation.start(store, undefined, [3, 0]);
    server.clock.dateAhead = 31 * 60_000;
    server.clock.advance(settled + 50);
    await server.delivered(1);
    assert.deepEqual(receiver.events().map(({ users }) => users), [3]);
  });

  it("reports nothing when it is off, and nothing to pages when none is open", async () => {
    await using server = await ThresholdAlertSimulation.start(store);
    server.watched = false;
    await server.alert.change({ ...setting, enabled: false });
    server.count(5);
    const off = { threshold: null, phase: "normal", since: null };
    assert.deepEqual(server.alert.view, off);
    await server.alert.change(setting);
    server.clock.advance(50);
    await server.stored(1);
    assert.deepEqual(server.received, []);
  });

  it("has the time of its last crossing under the present threshold", async () => {
    await using server = await ThresholdAlertSimulation.start(store);
    await server.alert.change(setting);
    server.count(3);
    await server.stored(1);
    const { users: _, ...rest } = setting;
    assert.equal(server.alert.view.since, 0);
    await server.alert.change({ ...rest, users: 2 });
    assert.deepEqual(server.alert.view, {
      threshold: { users: 2, direction: "up", holdSeconds: 0 },
      phase: "active",
      since: null,
    });
  });

  it("is one of its own for each channel, and names the app of another one", async () => {
    await using receiver = new Receiver();
    await using online = await ThresholdAlertSimulation.start(store);
    await using support = await ThresholdAlertSimulation.start(store, {
      key: "4711/presence-support",
      appId: "4711",
      channel: "presence-support",
      isOwn: false,
    });
    await online.alert.change({ ...setting, users: 9 });
    await support.alert.change({ ...setting, webhookUrl: receiver.url });
    support.count(3);
    await support.delivered(1);
    assert.deepEqual(receiver.events(), [{
      name: "users_online_threshold",
      channel: "presence-support",
      app: "4711",
      direction: "up",
      threshold: 3,
      users: 3,
    }]);
    assert.deepEqual(
      [online, support].map(({ alert }) => [alert.view.threshold?.users, alert.view.phase]),
      [[9, "normal"], [3, "active"]],
    );
    await online.stored(0);
  });

  it("has a test that is the event of an alert, and says that it is a test", async () => {
    await using server = await ThresholdAlertSimulation.start(store);
    server.count(7);
    const message = server.alert.testMessage({ users: 5, direction: "up" });
    assert.deepEqual(JSON.parse(webhookBody(message)), {
      time_ms: 50,
      events: [{
        name: "users_online_threshold",
        channel: "presence-chart",
        direction: "up",
        threshold: 5,
        users: 7,
        test: true,
      }],
    });
    assert.equal(server.alert.state, null);
  });
});
