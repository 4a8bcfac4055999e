import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { webhookEvent } from "@/realtime/webhooks/webhook_options.ts";
import { ApiHarness } from "./api/harness.ts";
import { app, type Received } from "./harness.ts";

const room = "presence-room";
const channels = [room, "presence-cache-room", "private-room", "private-cache-room"];

/** Pages that are kept and such that are refused, on channels of every kind. */
const reports = fc.array(
  fc.record({
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
      fc.constantFrom("for-admins-only", '{"path":"/for-admins-only"}', null),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

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

it("the page that a client reports reaches no client, webhook, API answer, inspector or log line", async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(reports, fc.boolean(), async (drawn, clientEvents) => {
      const out: unknown[] = [];
      const log = (entry: LogEntry) => out.push(entry);
      await using harness = new ApiHarness({ rules: { clientEvents }, log });
      harness.realtime.onServerEvent((event) => out.push(event, webhookEvent(event)));
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
      for (const { from, channel, data } of drawn) {
        const client = clients[from as "ann" | "bob"];
        client.sendRaw(JSON.stringify({ event: "client-rollcall-page", channel, data }));
        frames.push(...await client.settled());
      }
      kept += harness.app.presence.members(room).filter(({ pages }) => pages).length;
      const late = await harness.connect();
      frames.push(await late.joined("cem", room), await late.joined("cem", "presence-cache-room"));
      clients.ann.send("pusher:unsubscribe", { channel: room });
      for (const client of [...Object.values(clients), late]) {
        frames.push(...await client.settled());
      }
      const all = JSON.stringify([frames, out, await answers(harness)]);
      assert.doesNotMatch(all, /for-admins-only|rollcall-page/);
    }),
    { numRuns: 25 },
  );
  assert.ok(kept > 0, "admins see pages");
});
