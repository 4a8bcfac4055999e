import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { readAlert } from "../../../online/alert/alert.ts";
import { ThresholdAlert } from "../../../online/alert/threshold_alert.ts";
import type { PresenceCounts } from "../../../realtime/server.ts";
import { appSettings } from "../../../realtime/app_config.ts";
import { Webhooks } from "../../../realtime/webhooks/webhooks.ts";
import { WebhookOutbox } from "../../../database/webhook_outbox.ts";
import { describeOnEachDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { app, until } from "../../realtime/rig.ts";
import { Receiver } from "../../realtime/webhooks/receiver.ts";

/** How long after a start no crossing is reported, in ms. */
const settled = 30_000;

/** A server that alerts, from its start to its stop. */
class Server implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly received: [name: string, payload: unknown][] = [];
  /** Whether an admin's page listens. */
  watched = true;
  mayReceive = (_url: string) => true;
  alert!: ThresholdAlert;
  webhooks!: Webhooks;
  #users = 0;
  #listener: (counts: PresenceCounts) => void = () => {};

  static async start(store: TestDatabase): Promise<Server> {
    const server = new Server();
    await server.#start(store);
    return server;
  }

  async #start(store: TestDatabase): Promise<void> {
    const database = await store.open();
    const isFirst = await readAlert(database) === null;
    this.alert = await ThresholdAlert.open({
      database,
      ownApp: () => ({
        isOccupied: () => this.watched,
        presence: () => ({ users: this.#users, connections: this.#users, userIds: [] }),
        onPresence: (_, listener) => {
          this.#listener = listener;
          return () => this.#listener = () => {};
        },
      }),
      broadcast: (_, name, payload) => this.received.push([name, payload]),
      sendWebhook: (event, webhook) => this.webhooks.send(event, app.id, webhook),
      log: ({ message }) => assert.fail(message),
      mayReceive: (url) => Promise.resolve(this.mayReceive(url)),
      recovery: {
        whenOver: (callback) => {
          if (isFirst) callback();
          return isFirst ? () => {} : this.clock.after(settled, callback);
        },
      },
      clock: this.clock,
    });
    this.webhooks = new Webhooks({
      store: new WebhookOutbox(database),
      appOf: () => appSettings(app),
      webhooksOf: ({ webhooks }) => [...webhooks, ...this.alert.webhooks],
    });
    await this.webhooks.start();
  }

  count(...counts: number[]): void {
    for (const users of counts) {
      this.#users = users;
      this.#listener({ users, connections: users });
    }
    this.clock.advance(50);
  }

  /** Waits until this many crossings are stored, and the last count was on this side. */
  async stored(crossings: number, side: "below" | "reached"): Promise<void> {
    await until(async () => {
      const state = await this.alert.read();
      return state?.crossings.length === crossings && state.side === side;
    }, `${crossings} crossings were stored, and the count was ${side}`);
  }

  get crossings(): number {
    return this.received.filter(([name]) => name === "AlertCrossed").length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.alert.stop();
    await this.webhooks.stop();
  }
}

describeOnEachDatabase("the alert at a number of users", (store) => {
  it("sends each crossing to the webhook in one signed request, and to admins' pages", async () => {
    await using receiver = new Receiver();
    await using server = await Server.start(store);
    const setting = { enabled: true, users: 3, direction: "up", webhookUrl: receiver.url };
    assert.ok((await server.alert.change(setting)).ok);
    server.count(2, 3);
    await until(() => server.webhooks.stats().delivered === 1);
    server.count(4, 5, 2);
    server.count(7);
    await until(() => server.webhooks.stats().delivered === 2);
    const event = { name: "users_online_threshold", channel: "presence-chart", direction: "up" };
    assert.deepEqual(receiver.events(), [
      { ...event, threshold: 3, users: 3 },
      { ...event, threshold: 3, users: 7 },
    ]);
    assert.deepEqual(server.received.map(([name]) => name), [
      "AlertSet",
      "AlertCrossed",
      "AlertCrossed",
    ]);
    assert.deepEqual(server.received[0][1], { threshold: { users: 3, direction: "up" } });
  });

  it("keeps its state over a restart, and reports no crossing twice", async () => {
    await using receiver = new Receiver();
    const setting = { enabled: true, users: 3, direction: "up", webhookUrl: receiver.url };
    {
      await using server = await Server.start(store);
      await server.alert.change(setting);
      server.count(3);
      await until(() => server.webhooks.stats().delivered === 1);
    }
    await using server = await Server.start(store);
    assert.deepEqual(server.alert.threshold, { users: 3, direction: "up" });
    assert.equal((await server.alert.read())?.crossings.length, 1);
    server.count(1, 2, 3);
    server.clock.advance(settled);
    server.count(4, 2);
    server.count(3);
    await until(() => server.webhooks.stats().delivered === 1);
    assert.deepEqual(receiver.events().map(({ users }) => users), [3, 3]);
    assert.equal(server.crossings, 1);
  });

  it("delivers once after a restart what the receiver refused before", async () => {
    await using receiver = new Receiver();
    receiver.answer = () => new Response(null, { status: 503 });
    {
      await using server = await Server.start(store);
      const setting = { enabled: true, users: 2, direction: "down", webhookUrl: receiver.url };
      await server.alert.change(setting);
      server.count(2);
      await server.stored(0, "reached");
      server.count(1);
      await until(() => receiver.deliveries.length === 1);
    }
    receiver.deliveries.length = 0;
    receiver.answer = () => new Response("ok");
    await using server = await Server.start(store);
    await until(() => server.webhooks.stats().delivered === 1);
    assert.deepEqual(receiver.events().map(({ direction }) => direction), ["down"]);
  });

  it("takes no webhook that it may not send to, and keeps the setting before", async () => {
    await using server = await Server.start(store);
    server.mayReceive = (url) => url !== "http://10.0.0.1/";
    const setting = { enabled: true, users: 3, direction: "up" };
    const refused = await server.alert.change({ ...setting, webhookUrl: "http://10.0.0.1/" });
    assert.equal(refused.ok ? "" : refused.field, "webhookUrl");
    assert.deepEqual([server.alert.threshold, server.alert.webhooks], [null, []]);
    assert.ok((await server.alert.change({ ...setting, webhookUrl: "http://10.0.0.2/" })).ok);
  });

  it("reports nothing when it is off, and nothing to pages when none is open", async () => {
    await using server = await Server.start(store);
    server.watched = false;
    await server.alert.change({ enabled: false, users: 1, direction: "up" });
    server.count(5);
    assert.equal(server.alert.threshold, null);
    await server.alert.change({ enabled: true, users: 9, direction: "up" });
    server.count(9);
    await server.stored(1, "reached");
    assert.deepEqual(server.received, []);
  });

  it("has the time of its crossing while the count is beyond the threshold", async () => {
    await using server = await Server.start(store);
    await server.alert.change({ enabled: true, users: 2, direction: "up" });
    server.count(2);
    await server.stored(1, "reached");
    const threshold = { users: 2, direction: "up" };
    const [{ at }] = (await server.alert.read())!.crossings;
    assert.deepEqual(await server.alert.view(2), { threshold, crossedAt: at });
    assert.deepEqual(await server.alert.view(1), { threshold, crossedAt: null });
    await server.alert.change({ enabled: true, users: 1, direction: "up" });
    const another = { threshold: { users: 1, direction: "up" }, crossedAt: null };
    assert.deepEqual(await server.alert.view(2), another);
  });
});
