import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { address, app, World } from "./world.ts";

const channels = World.channels;

describe("WebhookSender", () => {
  it("sends the events of 50 ms in one request, in their order", async () => {
    const world = new World();
    for (const number of [1, 2, 3]) world.happens(number);
    assert.equal(world.sent.length, 0);
    await world.advance(50);
    assert.deepEqual(channels(world.last), ["1", "2", "3"]);
    assert.deepEqual([world.last.url, world.last.secret], [address, app.secret]);
    await world.last.answer(200);
    const { delivered, queuedEvents, receivers } = world.webhooks.stats();
    assert.deepEqual([delivered, queuedEvents, receivers, world.clock.timers], [3, 0, 0, 1]);
    await world.advance(500);
    assert.deepEqual([world.clock.timers, world.store.writes, world.logged], [0, 0, []]);
  });

  for (const failure of [301, 400, 404, 429, 500, 503, "broken"] as const) {
    it(`repeats the same body after ${failure}`, async () => {
      const world = new World();
      world.happens(1);
      await world.advance(50);
      await world.last.answer(failure);
      assert.deepEqual(world.webhooks.stats().queuedEvents, 1);
      await world.advance(1_000);
      assert.equal(world.sent.length, 2);
      assert.equal(world.sent[1].body, world.sent[0].body);
      await world.last.answer(204);
      const { delivered, failedAttempts, queuedEvents } = world.webhooks.stats();
      assert.deepEqual([delivered, failedAttempts, queuedEvents], [1, 1, 0]);
    });
  }

  for (const failure of [408, 429, 502, 503, 504, "broken"] as const) {
    it(`sends nothing else to a receiver that is unavailable, as after ${failure}, before the retry`, async () => {
      const world = new World({ limits: { maxBatchEvents: 1 } });
      for (const number of [1, 2]) world.happens(number);
      await world.advance(0);
      await world.last.answer(failure);
      await world.advance(499);
      assert.deepEqual(world.sent.map(channels), [["1"]]);
      await world.advance(501);
      assert.deepEqual(world.sent.map(channels), [["1"], ["1"]]);
    });
  }

  it("sends what waits behind a batch that the receiver refuses, at once", async () => {
    const world = new World({ limits: { maxBatchEvents: 1 } });
    for (const number of [1, 2]) world.happens(number);
    await world.advance(0);
    await world.last.answer(500);
    await world.advance(0);
    assert.deepEqual(world.sent.map(channels), [["1"], ["2"]]);
  });

  it("aborts and repeats a request that is not answered within four seconds", async () => {
    const world = new World();
    world.happens(1);
    await world.advance(50);
    await world.advance(3_999);
    assert.equal(world.last.signal.aborted, false);
    await world.advance(1);
    assert.equal(world.last.signal.aborted, true);
    await world.advance(1_000);
    assert.equal(world.sent.length, 2);
    assert.equal(world.logged[0].reason, "no answer in time");
  });

  it("drops and counts an event after five minutes of failures", async () => {
    const world = new World();
    world.happens(1);
    let answered = 0;
    for (let second = 0; second < 299; second++) {
      await world.advance(1_000);
      while (answered < world.sent.length) await world.sent[answered++].answer(500);
    }
    assert.equal(world.webhooks.stats().dropped.expired, 0);
    await world.advance(31_000);
    assert.ok(world.sent.length >= 10 && world.sent.length <= 16, `${world.sent.length} attempts`);
    const { dropped, queuedEvents, receivers } = world.webhooks.stats();
    assert.deepEqual([dropped.expired, queuedEvents, receivers], [1, 0, 0]);
    await world.advance(500);
    assert.deepEqual([world.store.records, world.clock.timers], [[], 0]);
  });

  it("sends one request at a time to a webhook, and a dead webhook does not delay another", async () => {
    const webhooks = [{ url: "http://dead/" }, { url: "http://alive/" }];
    const world = new World({ rules: { webhooks } });
    const sentTo = (url: string) => world.sent.filter((sent) => sent.url === url);
    for (const number of [1, 2, 3]) {
      world.happens(number);
      await world.advance(50);
      await sentTo("http://alive/").at(-1)?.answer(200);
    }
    assert.deepEqual(sentTo("http://alive/").flatMap(channels), ["1", "2", "3"]);
    assert.deepEqual(sentTo("http://dead/").flatMap(channels), ["1"]);
    await sentTo("http://dead/")[0].answer(200);
    await world.advance(0);
    assert.deepEqual(sentTo("http://dead/").flatMap(channels), ["1", "2", "3"]);
  });

  it("signs events that waited with the secret of the moment of sending", async () => {
    const world = new World();
    world.happens(1);
    await world.advance(50);
    await world.last.answer(500);
    world.apps = [{ ...world.apps[0], secret: "rotated" }];
    await world.advance(1_000);
    assert.deepEqual(world.sent.map(({ secret }) => secret), [app.secret, "rotated"]);
  });

  for (
    const [what, apps] of [
      ["a webhook", [{ ...app, webhooks: [{ url: "https://example.com/another" }] }]],
      ["an app", []],
    ] as const
  ) {
    it(`drops and counts events that wait for ${what} that is no longer configured`, async () => {
      const world = new World();
      for (const number of [1, 2]) {
        world.happens(number);
        await world.advance(50);
      }
      world.apps = [...apps];
      await world.last.answer(500);
      await world.advance(1_000);
      const { dropped, queuedEvents, receivers } = world.webhooks.stats();
      assert.deepEqual([dropped.notConfigured, queuedEvents, receivers], [2, 0, 0]);
      assert.equal(world.sent.length, 1);
    });
  }

  it("drops and counts events that find no room, and delivers those accepted before", async () => {
    const world = new World({ limits: { maxQueuedEvents: 3, publicShare: 1 } });
    for (const number of [1, 2, 3, 4, 5]) world.happens(number);
    assert.equal(world.webhooks.stats().dropped.queueFull, 2);
    await world.advance(50);
    assert.deepEqual(channels(world.last), ["1", "2", "3"]);
    await world.last.answer(200);
    world.happens(6);
    await world.advance(50);
    assert.deepEqual(channels(world.last), ["6"]);
  });

  it("has room for private channels, however many events strangers cause in public ones", () => {
    const world = new World({ limits: { maxQueuedEvents: 4 } });
    for (const channel of ["1", "2", "3", "private-4"]) world.happens(channel);
    const { dropped, queuedEvents } = world.webhooks.stats();
    assert.deepEqual([dropped.queueFull, queuedEvents], [1, 3]);
  });

  it("keeps nothing of an event that is larger than the whole queue", () => {
    const world = new World({ limits: { maxQueuedBytes: 10 } });
    world.happens("a-long-name-of-a-channel");
    const { dropped, receivers } = world.webhooks.stats();
    assert.deepEqual([dropped.queueFull, receivers, world.clock.timers], [1, 0, 0]);
  });

  it("logs once that a receiver fails and once that it is back, without a secret", async () => {
    const world = new World({ limits: { maxQueuedEvents: 1 } });
    for (const number of [1, 2, 3]) world.happens(number);
    await world.advance(50);
    for (const waitMs of [1_000, 2_000, 4_000]) {
      await world.last.answer("broken");
      await world.advance(waitMs);
    }
    await world.last.answer(200);
    const receiver = "https://example.com";
    assert.deepEqual(world.logged, [
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
    const world = new World();
    world.happens(1);
    await world.advance(50);
    await world.webhooks.stop();
    assert.equal(world.last.signal.aborted, true);
    await world.advance(600_000);
    assert.deepEqual([world.sent.length, world.clock.timers], [1, 0]);
    assert.equal(world.webhooks.stats().failedAttempts, 0);
  });

  it("takes no event and no departure after its stop", async () => {
    const world = new World();
    await world.webhooks.stop();
    world.happens(1);
    world.happens("news", "channel_vacated");
    const { queuedEvents, pendingDepartures } = world.webhooks.stats();
    assert.deepEqual([queuedEvents, pendingDepartures, world.clock.timers], [0, 0, 0]);
  });
});
