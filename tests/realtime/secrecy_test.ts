import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { webhookEvent } from "@/realtime/webhooks/webhook_options.ts";
import { ApiHarness, posted } from "./api/harness.ts";
import { app, type Client, type Received } from "./harness.ts";

const room = "presence-room";
const channels = [room, "presence-cache-room", "private-room", "private-cache-room"];

/** Reports that are kept and such that are refused, on channels of every kind. */
const reports = fc.array(
  fc.record({
    event: fc.constantFrom("client-rollcall-page", "client-rollcall-activity"),
    from: fc.constantFrom("ann", "bob"),
    channel: fc.constantFrom(...channels, room, "presence-unjoined", undefined),
    data: fc.oneof(
      fc.record({
        path: fc.constantFrom(
          "/for-admins-only",
          "/for-admins-only?a#b",
          "for-admins-only",
          "/a\n",
        ),
        device: fc.constantFrom("phone", "for-admins-only", undefined),
      }),
      fc.record({ state: fc.constantFrom("idle", "for-admins-only"), seconds: fc.nat() }),
      fc.constantFrom("for-admins-only", '{"path":"/for-admins-only"}', null),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Reports that are kept, whatever else is drawn: one of each kind. */
const keptReports = [
  {
    event: "client-rollcall-page",
    from: "ann",
    channel: room,
    data: { path: "/for-admins-only", device: "phone" },
  } as const,
  {
    event: "client-rollcall-activity",
    from: "ann",
    channel: room,
    data: { state: "idle", seconds: 7 },
  } as const,
];

/** Every answer of the HTTP API about the channels. */
async function answers(harness: ApiHarness): Promise<string[]> {
  const library = harness.library();
  const calls = [
    ["/channels", { info: "user_count", filter_by_prefix: "presence-" }],
    ["/channels", {}],
    [`/channels/${room}`, { info: "user_count,subscription_count" }],
    [`/channels/${room}/users`, {}],
    ["/channels/presence-cache-room", { info: "cache" }],
  ] as const;
  return await Promise.all(calls.map(async ([path, params]) => {
    const response = await library.get({ path, params });
    assert.equal(response.status, 200, path);
    return await response.text();
  }));
}

it("what a client reports of its page and its use reaches no client, webhook, API answer, inspector or log line", async () => {
  let [keptPages, keptActivities] = [0, 0];
  await fc.assert(
    fc.asyncProperty(reports, fc.boolean(), async (drawn, clientEvents) => {
      const out: unknown[] = [];
      const log = (entry: LogEntry) => out.push(entry);
      await using harness = new ApiHarness({ rules: { clientEvents }, log });
      harness.realtime.onServerEvent((event) => out.push(event, webhookEvent(event, 0)));
      harness.realtime.onRejection((rejection) => out.push(rejection));
      for (const channel of channels) {
        harness.app.listeners.published.add(channel, (event) => out.push(event));
      }
      const clients = {
        ann: await harness.connect(),
        bob: await harness.connect(),
        eve: await harness.connect(),
      };
      const frames: Received[] = [];
      for (const [userId, client] of Object.entries(clients)) {
        for (const channel of channels) {
          const observe = userId === "eve";
          const data = JSON.stringify({ user_id: userId, rollcall: { observe } });
          client.subscribe(channel, signChannel(app, client.socketId, channel, data), data);
        }
        await client.settled();
      }
      for (const { event, from, channel, data } of drawn) {
        const client = clients[from as "ann" | "bob"];
        client.sendRaw(JSON.stringify({ event, channel, data }));
        frames.push(...await client.settled());
      }
      for (const { pages, activity } of harness.app.presence.members(room)) {
        if (pages) keptPages++;
        if (activity) keptActivities++;
      }
      const late = await harness.connect();
      frames.push(await late.joined("cem", room), await late.joined("cem", "presence-cache-room"));
      clients.ann.send("pusher:unsubscribe", { channel: room });
      for (const client of [...Object.values(clients), late]) {
        frames.push(...await client.settled());
      }
      const all = JSON.stringify([frames, out, await answers(harness)]);
      assert.doesNotMatch(all, /for-admins-only|rollcall-(?:page|activity)|"idle"/);
    }),
    { numRuns: 25, examples: [[keptReports, true]] },
  );
  assert.ok(keptPages > 0 && keptActivities > 0, "admins see them");
});

const marker = "for-admins-only";

const text = fc.string({ maxLength: 20 }).map((random) => `${marker} ${random}`);
const options = fc.record({
  name: text,
  detail: text,
  url: fc.constant(`https://crm.example.com/${marker}`),
  quiet: fc.boolean(),
  badge: text,
}, { requiredKeys: [] });

/** Where the options of a member are: beside `user_info`, inside of it, or both; by sign-in or not. */
const joining = fc.record({
  userId: fc.constantFrom("ann", "bob", "cem"),
  beside: fc.option(options, { nil: undefined }),
  inside: fc.option(options, { nil: undefined }),
  bySignIn: fc.boolean(),
  leaves: fc.boolean(),
  /** What the app's server changes of the member then. */
  changed: fc.option(fc.record({ name: text, detail: text }), { nil: undefined }),
});
type Joining = typeof joining extends fc.Arbitrary<infer Value> ? Value : never;

/** Joins as the drawn member. @returns what its client receives */
async function join(client: Client, { userId, beside, inside, bySignIn }: Joining) {
  const signed = { user_info: { color: "red", rollcall: inside }, rollcall: beside };
  if (!bySignIn) {
    const data = JSON.stringify({ user_id: userId, ...signed });
    client.subscribe(room, signChannel(app, client.socketId, room, data), data);
    return await client.settled();
  }
  const user_data = JSON.stringify({ id: userId, ...signed });
  client.send("pusher:signin", { auth: signUser(app, client.socketId, user_data), user_data });
  // Its own data comes back to the client that sent it.
  await client.next("pusher:signin_success");
  client.subscribe(room, signChannel(app, client.socketId, room));
  return await client.settled();
}

/** Changes a member by the HTTP API, as members see it and as admins do. */
async function update(harness: ApiHarness, userId: string, rollcall: unknown): Promise<void> {
  const user_info = { color: "blue", rollcall };
  for (const body of [{ rollcall }, { user_info }]) {
    const path = `/apps/${app.id}/channels/${room}/users/${userId}`;
    const answer = await harness.send(posted(path, body));
    assert.deepEqual(answer, { status: 200 });
  }
}

/** Every answer of the HTTP API about the room. */
async function answersWithCounts(harness: ApiHarness): Promise<string[]> {
  const library = harness.library();
  const calls = [
    ["/channels", { info: "user_count", filter_by_prefix: "presence-" }],
    ["/channels", { info: "subscription_count" }],
    [`/channels/${room}`, { info: "user_count,subscription_count" }],
    [`/channels/${room}/users`, {}],
  ] as const;
  return await Promise.all(calls.map(async ([path, params]) => {
    const response = await library.get({ path, params });
    assert.equal(response.status, 200, path);
    return await response.text();
  }));
}

it("what an app tells admins of a member reaches no other client, webhook, API answer or log line", async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(joining, { minLength: 1, maxLength: 6 }), async (joinings) => {
      const logged: LogEntry[] = [];
      const rules = { clientEvents: true, watchlist: true, subscriptionCount: true };
      await using harness = new ApiHarness({ rules, log: (entry) => logged.push(entry) });
      const webhooks: string[] = [];
      harness.realtime.onServerEvent((event) => webhooks.push(webhookEvent(event, 0)));
      const watcher = await harness.connect();
      const user_data = JSON.stringify({ id: "eve", watchlist: ["ann", "bob", "cem"] });
      watcher.send("pusher:signin", {
        auth: signUser(app, watcher.socketId, user_data),
        user_data,
      });
      await watcher.joined("eve");
      const frames: Received[] = [];
      for (const drawn of joinings) {
        const client = await harness.connect();
        frames.push(...await join(client, drawn));
        client.sendRaw(JSON.stringify({ event: "client-hello", channel: room, data: {} }));
        await client.settled();
        shown += JSON.stringify(harness.app.presence.members(room)).includes(marker) ? 1 : 0;
        if (drawn.changed) await update(harness, drawn.userId, drawn.changed);
        if (drawn.leaves) client.close();
      }
      frames.push(...await watcher.settled());
      assert.ok(frames.some(({ event }) => event === "pusher_internal:member_added"));
      const out = JSON.stringify([frames, webhooks, await answersWithCounts(harness), logged]);
      assert.doesNotMatch(out, /for-admins-only|rollcall(?!:(count|member_updated)")/);
    }),
    { numRuns: 25 },
  );
  assert.ok(shown > 0, "admins see options");
});
