import assert from "node:assert/strict";
import { answerOf, assertRefused, call, post } from "../api_call.ts";
import { sources, Suite } from "../suite.ts";
import { heardOn } from "../pusher_client.ts";

export const apiEvents = new Suite("api-events", "HTTP API: triggering events");

const event = { name: "e", channel: "news", data: "{}" };

apiEvents.rule(
  "api-events.trigger",
  "`POST /apps/ID/events` sends an event to one `channel`, or to `channels`; the answer is `{}`.",
  sources.httpApi,
  async (harness) => {
    const client = await harness.connected();
    const names = ["news", "private-a", "presence-a"];
    const heard = [];
    for (const name of names) heard.push(heardOn(await client.joined(name)));
    assert.deepEqual(await answerOf(harness.library().trigger(names, "update", { n: 1 })), {});
    assert.deepEqual(await post(harness, "/events", event), { status: 200 });
    await client.settled();
    const update = { event: "update", data: { n: 1 } };
    assert.deepEqual(heard, [[update, { event: "e", data: {} }], [update], [update]]);
  },
);

apiEvents.rule(
  "api-events.channels",
  "An event goes to up to 100 channels; with more it is refused.",
  sources.httpApi,
  async (harness) => {
    const client = await harness.connected();
    const events = heardOn(await client.joined("news-99"));
    const channels = Array.from({ length: 101 }, (_, index) => `news-${index}`);
    const data = "{}";
    assertRefused(await post(harness, "/events", { name: "over", channels, data }), 400, /100/);
    await harness.library().trigger(channels.slice(0, 100), "within", {});
    await client.settled();
    assert.deepEqual(events.map(({ event }) => event), ["within"]);
  },
);

apiEvents.rule(
  "api-events.exclude",
  "It is not sent to the connection whose `socket_id` is given.",
  sources.excluding,
  async (harness) => {
    const [one, other] = [await harness.connected(), await harness.connected()];
    const [byOne, byOther] = [
      heardOn(await one.joined("news")),
      heardOn(await other.joined("news")),
    ];
    const { socket_id } = one.connection;
    await harness.library().trigger("news", "first", {}, { socket_id });
    await harness.library().triggerBatch([{
      channel: "news",
      name: "second",
      data: {},
      socket_id,
    }]);
    await harness.library().trigger("news", "third", {});
    await one.settled();
    await other.settled();
    assert.deepEqual(byOne.map(({ event }) => event), ["third"]);
    assert.deepEqual(byOther.map(({ event }) => event), ["first", "second", "third"]);
  },
);

apiEvents.rule(
  "api-events.info",
  "With `info` the answer has `user_count` and `subscription_count` of each channel, as far as " +
    "its kind has them.",
  sources.httpApi,
  async (harness) => {
    for (const userId of ["ann", "ann", "bob"]) {
      await (await harness.connected({ userId })).joined("presence-a");
    }
    const info = "user_count,subscription_count";
    const channels = ["presence-a", "news"];
    assert.deepEqual(await answerOf(harness.library().trigger(channels, "e", {}, { info })), {
      channels: {
        "presence-a": { user_count: 2, subscription_count: 3 },
        news: { subscription_count: 0 },
      },
    });
  },
);

apiEvents.rule(
  "api-events.data",
  "`data` is a string and arrives as it was sent, of up to 10 KB or what the app allows. A " +
    "larger one gets 413.",
  sources.httpApi,
  async (harness) => {
    const client = await harness.connected();
    await client.joined("news");
    const largest = `${"é".repeat(5_119)}xx`;
    assert.deepEqual(await post(harness, "/events", { ...event, data: largest }), { status: 200 });
    await client.settled();
    assert.equal(client.received("e")[0].data, largest);
    const over = { ...event, data: `${largest}x` };
    assertRefused(
      await post(harness, "/events", over),
      413,
      /data content of this event exceeds .*10240 bytes/,
    );
    assertRefused(await post(harness, "/events", { ...event, data: {} }), 400, /at data/);
    await harness.set({ maxEventBytes: 20_000 });
    assert.deepEqual(await post(harness, "/events", over), { status: 200 });
  },
);

apiEvents.rule(
  "api-events.names",
  "An event's name has up to 200 characters and does not begin with `pusher:`, `pusher_internal:` " +
    "or `rollcall:`.",
  sources.httpApi,
  async (harness) => {
    assert.deepEqual(await post(harness, "/events", { ...event, name: "x".repeat(200) }), {
      status: 200,
    });
    for (
      const name of [
        "",
        "x".repeat(201),
        "pusher:error",
        "pusher_internal:member_added",
        "rollcall:count",
      ]
    ) {
      assertRefused(await post(harness, "/events", { ...event, name }), 400, /at name/);
    }
  },
);

apiEvents.rule(
  "api-events.malformed",
  "A malformed event gets 400 with the place of the fault: not JSON, no channel, both `channel` " +
    "and `channels`, a bad channel name or socket id.",
  sources.httpApi,
  async (harness) => {
    const noJson = await call(harness, { method: "POST", path: "/events", body: "{" });
    assertRefused(noJson, 400, /not JSON/);
    const faults: [fault: object, message: RegExp][] = [
      [{ channel: undefined }, /either channel or channels/],
      [{ channels: ["a"] }, /either channel or channels/],
      [{ channel: "a b" }, /at channel/],
      [{ socket_id: "x" }, /at socket_id/],
      [{ info: "everything" }, /at info/],
    ];
    for (const [fault, message] of faults) {
      assertRefused(await post(harness, "/events", { ...event, ...fault }), 400, message);
    }
  },
);

apiEvents.rule(
  "api-events.body-limit",
  "A body over 1 MiB gets 413.",
  sources.httpApi,
  async (harness) => {
    const padding = "x".repeat(1_048_576);
    assertRefused(await post(harness, "/events", { ...event, padding }), 413, /1048576 bytes/);
  },
);

apiEvents.rule(
  "api-events.batch",
  "`POST /apps/ID/batch_events` sends up to 10 events, in order; the answer is `{}`.",
  sources.httpApi,
  async (harness) => {
    const client = await harness.connected();
    const events = heardOn(await client.joined("news"));
    const batch = Array.from(
      { length: 11 },
      (_, n) => ({ channel: "news", name: "e", data: { n } }),
    );
    assert.deepEqual(await answerOf(harness.library().triggerBatch(batch.slice(0, 10))), {});
    await assert.rejects(harness.library().triggerBatch(batch), { status: 400 });
    await client.settled();
    assert.deepEqual(events.map(({ data }) => data.n), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  },
);

apiEvents.rule(
  "api-events.batch-info",
  "If an event of a batch has `info`, the answer is `batch`: an object for each event, in order.",
  sources.httpApi,
  async (harness) => {
    await (await harness.connected()).joined("presence-a");
    const batch = [
      { channel: "news", name: "e", data: "" },
      { channel: "presence-a", name: "e", data: "", info: "user_count" },
      { channel: "news", name: "e", data: "", info: "subscription_count" },
    ];
    assert.deepEqual(await answerOf(harness.library().triggerBatch(batch)), {
      batch: [{}, { user_count: 1 }, { subscription_count: 0 }],
    });
  },
);

apiEvents.rule(
  "api-events.batch-whole",
  "A batch with a fault in one event, or with more than 10 events, sends no event.",
  sources.httpApi,
  async (harness) => {
    const client = await harness.connected();
    const events = heardOn(await client.joined("news"));
    const faults: [fault: object, status: number][] = [
      [{ name: "" }, 400],
      [{ channel: "a b" }, 400],
      [{ data: "x".repeat(10_241) }, 413],
    ];
    for (const [fault, status] of faults) {
      const batch = [event, { ...event, ...fault }];
      assertRefused(await post(harness, "/batch_events", { batch }), status, /./);
    }
    const tooLarge = { batch: Array(11).fill(event) };
    assertRefused(
      await post(harness, "/batch_events", tooLarge),
      400,
      /Batch too large \(11 > 10\)/,
    );
    await client.settled();
    assert.deepEqual(events, []);
  },
);
