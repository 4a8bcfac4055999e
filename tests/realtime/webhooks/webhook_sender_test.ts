import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { address, app, WebhookSimulation } from "./simulation.ts";

const channels = WebhookSimulation.channels;

describe("WebhookSender", () => {
  it("sends the events of 50 ms in one request, in their order", async () => {
    const simulation = new WebhookSimulation();
    for (const number of [1, 2, 3]) simulation.happens(number);
    assert.equal(simulation.sent.length, 0);
    await simulation.advance(50);
    assert.deepEqual(channels(simulation.last), ["1", "2", "3"]);
    assert.deepEqual([simulation.last.url, simulation.last.secret], [address, app.secret]);
    await simulation.last.answer(200);
    const { delivered, queuedEvents, receivers } = simulation.webhooks.stats();
    assert.deepEqual([delivered, queuedEvents, receivers, simulation.clock.timers], [3, 0, 0, 1]);
    await simulation.advance(500);
    assert.deepEqual([simulation.clock.timers, simulation.store.writes, simulation.logged], [
      0,
      0,
      [],
    ]);
  });

  for (const failure of [301, 400, 404, 429, 500, 503, "broken"] as const) {
    it(`repeats the same body after ${failure}`, async () => {
      const simulation = new WebhookSimulation();
      simulation.happens(1);
      await simulation.advance(50);
      await simulation.last.answer(failure);
      assert.deepEqual(simulation.webhooks.stats().queuedEvents, 1);
      await simulation.advance(1_000);
      assert.equal(simulation.sent.length, 2);
      assert.equal(simulation.sent[1].body, simulation.sent[0].body);
      await simulation.last.answer(204);
      const { delivered, failedAttempts, queuedEvents } = simulation.webhooks.stats();
      assert.deepEqual([delivered, failedAttempts, queuedEvents], [1, 1, 0]);
    });
  }

  for (const failure of [408, 429, 502, 503, 504, "broken"] as const) {
    it(`sends nothing else to a receiver that is unavailable, as after ${failure}, before the retry`, async () => {
      const simulation = new WebhookSimulation({ limits: { maxBatchEvents: 1 } });
      for (const number of [1, 2]) simulation.happens(number);
      await simulation.advance(0);
      await simulation.last.answer(failure);
      await simulation.advance(499);
      assert.deepEqual(simulation.sent.map(channels), [["1"]]);
      await simulation.advance(501);
      assert.deepEqual(simulation.sent.map(channels), [["1"], ["1"]]);
    });
  }

  it("sends what waits behind a batch that the receiver refuses, at once", async () => {
    const simulation = new WebhookSimulation({ limits: { maxBatchEvents: 1 } });
    for (const number of [1, 2]) simulation.happens(number);
    await simulation.advance(0);
    await simulation.last.answer(500);
    await simulation.advance(0);
    assert.deepEqual(simulation.sent.map(channels), [["1"], ["2"]]);
  });

  it("aborts and repeats a request that is not answered within four seconds", async () => {
    const simulation = new WebhookSimulation();
    simulation.happens(1);
    await simulation.advance(50);
    await simulation.advance(3_999);
    assert.equal(simulation.last.signal.aborted, false);
    await simulation.advance(1);
    assert.equal(simulation.last.signal.aborted, true);
    await simulation.advance(1_000);
    assert.equal(simulation.sent.length, 2);
    assert.equal(simulation.logged[0].reason, "no answer in time");
  });

  it("drops and counts an event after five minutes of failures", async () => {
    const simulation = new WebhookSimulation();
    simulation.happens(1);
    let answered = 0;
    for (let second = 0; second < 299; second++) {
      await simulation.advance(1_000);
      while (answered < simulation.sent.length) await simulation.sent[answered++].answer(500);
    }
    assert.equal(simulation.webhooks.stats().dropped.expired, 0);
    await simulation.advance(31_000);
    assert.ok(
      simulation.sent.length >= 10 && simulation.sent.length <= 16,
      `${simulation.sent.length} attempts`,
    );
    const { dropped, queuedEvents, receivers } = simulation.webhooks.stats();
    assert.deepEqual([dropped.expired, queuedEvents, receivers], [1, 0, 0]);
    await simulation.advance(500);
    assert.deepEqual([simulation.store.records, simulation.clock.timers], [[], 0]);
  });

  it("sends one request at a time to a webhook, and a dead webhook does not delay another", async () => {
    const webhooks = [{ url: "http://dead/" }, { url: "http://alive/" }];
    const simulation = new WebhookSimulation({ rules: { webhooks } });
    const sentTo = (url: string) => simulation.sent.filter((sent) => sent.url === url);
    for (const number of [1, 2, 3]) {
      simulation.happens(number);
      await simulation.advance(50);
      await sentTo("http://alive/").at(-1)?.answer(200);
    }
    assert.deepEqual(sentTo("http://alive/").flatMap(channels), ["1", "2", "3"]);
    assert.deepEqual(sentTo("http://dead/").flatMap(channels), ["1"]);
    await sentTo("http://dead/")[0].answer(200);
    await simulation.advance(0);
    assert.deepEqual(sentTo("http://dead/").flatMap(channels), ["1", "2", "3"]);
  });

  it("signs events that waited with the secret of the moment of sending", async () => {
    const simulation = new WebhookSimulation();
    simulation.happens(1);
    await simulation.advance(50);
    await simulation.last.answer(500);
    simulation.apps = [{ ...simulation.apps[0], secret: "rotated" }];
    await simulation.advance(1_000);
    assert.deepEqual(simulation.sent.map(({ secret }) => secret), [app.secret, "rotated"]);
  });

  for (
    const [what, apps] of [
      ["a webhook", [{ ...app, webhooks: [{ url: "https://example.com/another" }] }]],
      ["an app", []],
    ] as const
  ) {
    it(`drops and counts events that wait for ${what} that is no longer configured`, async () => {
      const simulation = new WebhookSimulation();
      for (const number of [1, 2]) {
        simulation.happens(number);
        await simulation.advance(50);
      }
      simulation.apps = [...apps];
      await simulation.last.answer(500);
      await simulation.advance(1_000);
      const { dropped, queuedEvents, receivers } = simulation.webhooks.stats();
      assert.deepEqual([dropped.notConfigured, queuedEvents, receivers], [2, 0, 0]);
      assert.equal(simulation.sent.length, 1);
    });
  }

  it("drops and counts events that find no room, and delivers those accepted before", async () => {
    const simulation = new WebhookSimulation({ limits: { maxQueuedEvents: 3, publicShare: 1 } });
    for (const number of [1, 2, 3, 4, 5]) simulation.happens(number);
    assert.equal(simulation.webhooks.stats().dropped.queueFull, 2);
    await simulation.advance(50);
    assert.deepEqual(channels(simulation.last), ["1", "2", "3"]);
    await simulation.last.answer(200);
    simulation.happens(6);
    await simulation.advance(50);
    assert.deepEqual(channels(simulation.last), ["6"]);
  });

  it("has room for private channels, however many events strangers cause in public ones", () => {
    const simulation = new WebhookSimulation({ limits: { maxQueuedEvents: 4 } });
    for (const channel of ["1", "2", "3", "private-4"]) simulation.happens(channel);
    const { dropped, queuedEvents } = simulation.webhooks.stats();
    assert.deepEqual([dropped.queueFull, queuedEvents], [1, 3]);
  });

  it("keeps nothing of an event that is larger than the whole queue", () => {
    const simulation = new WebhookSimulation({ limits: { maxQueuedBytes: 10 } });
    simulation.happens("a-long-name-of-a-channel");
    const { dropped, receivers } = simulation.webhooks.stats();
    assert.deepEqual([dropped.queueFull, receivers, simulation.clock.timers], [1, 0, 0]);
  });

  it("logs once that a receiver fails and once that it is back, without a secret", async () => {
    const simulation = new WebhookSimulation({ limits: { maxQueuedEvents: 1 } });
    for (const number of [1, 2, 3]) simulation.happens(number);
    await simulation.advance(50);
    for (const waitMs of [1_000, 2_000, 4_000]) {
      await simulation.last.answer("broken");
      await simulation.advance(waitMs);
    }
    await simulation.last.answer(200);
    const receiver = "https://example.com";
    assert.deepEqual(simulation.logged, [
      {
        level: "warn",
        message: "Webhook events dropped",
        app: "1",
        receiver,
        reason: "queueFull",
      },
      {
        level: "warn",
        message: "Webhook not delivered",
        app: "1",
        receiver,
        reason: "no answer",
      },
      { level: "info", message: "Webhook delivered again", app: "1", receiver },
    ]);
  });

  it("aborts the request that runs when it stops", async () => {
    const simulation = new WebhookSimulation();
    simulation.happens(1);
    await simulation.advance(50);
    await simulation.webhooks.stop();
    assert.equal(simulation.last.signal.aborted, true);
    await simulation.advance(600_000);
    assert.deepEqual([simulation.sent.length, simulation.clock.timers], [1, 0]);
    assert.equal(simulation.webhooks.stats().failedAttempts, 0);
  });

  it("takes no event and no departure after its stop", async () => {
    const simulation = new WebhookSimulation();
    await simulation.webhooks.stop();
    simulation.happens(1);
    simulation.happens("news", "channel_vacated");
    const { queuedEvents, pendingDepartures } = simulation.webhooks.stats();
    assert.deepEqual([queuedEvents, pendingDepartures, simulation.clock.timers], [0, 0, 0]);
  });
});
