import assert from "node:assert/strict";
import Echo from "laravel-echo";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { until } from "../../realtime/harness.ts";
import { sources, Suite } from "../suite.ts";
import { heardOn, next, type PusherClient } from "../pusher_client.ts";
import { AppHarness } from "../harness.ts";

export const clientEvents = new Suite("client-event", "Client events");

clientEvents.rule(
  "client-event.private",
  "A client event reaches the other subscribers of a private channel, not its sender.",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "private-a");
    const [byAnn, byBob] = [ann, bob].map((client) => heardOn(client.channel("private-a")));
    assert.ok(ann.channel("private-a").trigger("client-typing", { text: "hé" }));
    await ann.settled();
    await bob.settled();
    assert.deepEqual(byAnn, []);
    assert.deepEqual(byBob, [{ event: "client-typing", data: { text: "hé" } }]);
  },
);

clientEvents.rule(
  "client-event.presence",
  "On a presence channel it has its sender as `user_id`, which is the subscription's, " +
    "whatever the payload claims.",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "presence-a");
    const sender = new Promise((resolve) =>
      bob.channel("presence-a").bind(
        "client-typing",
        (_: unknown, { user_id }: { user_id: string }) => resolve(user_id),
      )
    );
    const frame = { event: "client-typing", channel: "presence-a", data: {}, user_id: "eve" };
    ann.connection.send(JSON.stringify(frame));
    assert.equal(await withTimeout(sender, "bob had the event"), "ann");
  },
);

clientEvents.rule(
  "client-event.echo",
  "Laravel Echo's `whisper` reaches `listenForWhisper` of the others.",
  sources.echo,
  async (harness) => {
    await harness.set({ clientEvents: true });
    const rooms = ["ann", "bob"].map((userId) => {
      const client = harness.client({ userId });
      const heard: unknown[] = [];
      const room = new Echo({ broadcaster: "pusher", key: harness.app.key, client }).join("a");
      room.listenForWhisper("typing", (data: unknown) => heard.push(data));
      return { client, room, heard, joined: next(client.channel("presence-a"), succeeded) };
    });
    await Promise.all(rooms.map(({ joined }) => joined));
    const [ann, bob] = rooms;
    ann.room.whisper("typing", { n: 1 });
    await until(() => bob.heard.length === 1);
    await ann.client.settled();
    assert.deepEqual([ann.heard, bob.heard], [[], [{ n: 1 }]]);
  },
);

clientEvents.rule(
  "client-event.opt-in",
  "An app may enable client events; by default their sender gets an error.",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "private-a", false);
    await refuses(ann, bob, "private-a", /not enabled/);
  },
);

clientEvents.rule(
  "client-event.subscribers",
  "Only subscribers of a channel may send events to it.",
  sources.events,
  async (harness) => {
    const [, bob] = await two(harness, "private-a");
    const stranger = await harness.connected();
    await refuses(stranger, bob, "private-a", /is subscribed to/);
  },
);

clientEvents.rule(
  "client-event.not-public",
  "There are no client events on public channels.",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "news");
    await refuses(ann, bob, "news", /private and presence/);
  },
);

clientEvents.rule(
  "client-event.not-encrypted",
  "There are no client events on encrypted channels.",
  sources.encryptedChannels,
  async (harness) => {
    const [ann, bob] = await two(harness, "private-encrypted-a");
    assert.throws(() => ann.channel("private-encrypted-a").trigger("client-x", {}), /encrypted/);
    await refuses(ann, bob, "private-encrypted-a", /not for encrypted/);
  },
);

clientEvents.rule(
  "client-event.prefix",
  "Their names begin with `client-`; any other event from a client is unknown.",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "private-a");
    assert.throws(() => ann.channel("private-a").trigger("typing", {}), /client-/);
    await refuses(ann, bob, "private-a", /Unknown event typing/, "typing");
    await refuses(ann, bob, "private-a", /Unknown event/, "pusher_internal:member_added");
  },
);

clientEvents.rule(
  "client-event.rate",
  "A connection may send 10 a second; a further one gets `pusher:error` with code 4301, which " +
    "does not close the connection.",
  sources.events,
  async () => {
    await using harness = await AppHarness.alone({ clockIsStopped: true });
    const [ann, bob] = await two(harness, "private-a");
    const events = heardOn(bob.channel("private-a"));
    const send = async (times: number) => {
      for (let n = 1; n <= times; n++) ann.channel("private-a").trigger("client-a", { n });
      await ann.settled();
      await bob.settled();
    };
    await send(12);
    assert.equal(events.length, 10);
    assert.deepEqual(ann.received("pusher:error").map(({ data }) => data.code), [4301, 4301]);
    await harness.server.advance(1_000);
    await send(10);
    assert.equal(events.length, 20);
    assert.equal(ann.received("pusher:error").length, 2);
  },
);

clientEvents.rule(
  "client-event.rate-setting",
  "The rate is a setting of the app; 0 is no limit.",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "private-a");
    await harness.set({ clientEventsPerSecond: 0 });
    const events = heardOn(bob.channel("private-a"));
    for (let n = 1; n <= 100; n++) ann.channel("private-a").trigger("client-a", { n });
    await ann.settled();
    await bob.settled();
    assert.deepEqual(
      events.map(({ data }) => data.n),
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
  },
);

clientEvents.rule(
  "client-event.size",
  "Their data has the size limit of all events (10 KB).",
  sources.events,
  async (harness) => {
    const [ann, bob] = await two(harness, "private-a");
    const events = heardOn(bob.channel("private-a"));
    for (const size of [10_240, 10_241]) {
      ann.channel("private-a").trigger("client-a", "x".repeat(size));
    }
    await ann.settled();
    await bob.settled();
    assert.deepEqual(events.map(({ data }) => data.length), [10_240]);
    assert.match(ann.received("pusher:error")[0].data.message, /10240 bytes/);
  },
);

const succeeded = "pusher:subscription_succeeded";

clientEvents.deviation(
  "client-event.reserved",
  "`client-rollcall-page` and `client-rollcall-activity` on a presence channel report the sender's " +
    "page, and whether it is used, to Rollcall's admins. They are taken whether client events are " +
    "enabled or not, and no one else receives them.",
  sources.events,
);

/** Two users who joined a channel of an app that allows client events. */
async function two(
  harness: AppHarness,
  channel: string,
  clientEvents = true,
): Promise<PusherClient[]> {
  await harness.set({ clientEvents });
  const library = harness.library({ encryptionMasterKeyBase64: btoa("k".repeat(32)) });
  const clients = [
    await harness.connected({ library }),
    await harness.connected({ library, userId: "bob" }),
  ];
  for (const client of clients) await client.joined(channel);
  return clients;
}

/** What the sender sends is answered with an error, and the other hears nothing of it. */
async function refuses(
  sender: PusherClient,
  other: PusherClient,
  channel: string,
  message: RegExp,
  event = "client-typing",
): Promise<void> {
  const { length } = sender.received("pusher:error");
  sender.send_event(event, { text: "hé" }, channel);
  await sender.settled();
  await other.settled();
  const errors = sender.received("pusher:error").slice(length).map(({ data }) => data);
  assert.deepEqual(errors.map(({ code }) => code), [null]);
  assert.match(errors[0].message, message);
  assert.deepEqual(other.received(event), []);
}
