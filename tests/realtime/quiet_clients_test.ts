import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import Echo2 from "laravel-echo";
import Echo1 from "laravel-echo-1";
import pusher8 from "pusher-js";
import pusher4 from "pusher-js-4";
import pusher5 from "pusher-js-5";
import pusher6 from "pusher-js-6";
import pusher7 from "pusher-js-7";
import { signChannel } from "../../realtime/protocol/signature.ts";
import { app, Rig, until } from "./rig.ts";

// deno-lint-ignore no-explicit-any -- the versions differ in their types
type Library = any;

const pushers: Record<string, Library> = { pusher4, pusher5, pusher6, pusher7, pusher8 };
// As a CommonJS module, Echo 1 has the class in a member.
const echos: Record<string, Library> = { Echo1: (Echo1 as Library).default, Echo2 };

/** The options that all versions have, with signatures made in place. */
function optionsOf(port: number, userId: string) {
  return {
    ...{ cluster: "self", wsHost: "127.0.0.1", wsPort: port, forceTLS: false, disableStats: true },
    enabledTransports: ["ws"],
    authorizer: ({ name }: { name: string }) => ({
      authorize(socketId: string, answer: (error: null, data: unknown) => void) {
        const member = { user_id: userId, user_info: { id: userId }, rollcall: { quiet: true } };
        const data = JSON.stringify(member);
        answer(null, { auth: signChannel(app, socketId, name, data), channel_data: data });
      },
    }),
  };
}

describe("a quiet member", () => {
  for (const [pusherName, Pusher] of Object.entries(pushers)) {
    for (const [echoName, Echo] of Object.entries(echos)) {
      it(`with ${pusherName} and ${echoName} is itself in here, and is sent the number`, async () => {
        await using rig = new Rig();
        await rig.member("bob");
        const client = new Pusher(app.key, optionsOf(rig.port, "ann"));
        const seen: unknown[] = [];
        const fail = (event: string) => (data: unknown) => seen.push([event, data]);
        client.connection.bind("error", fail("error"));
        const echo = new Echo({ broadcaster: "pusher", key: app.key, client });
        echo.join("room")
          .here((members: { id: string }[]) => seen.push(members.map(({ id }) => id)))
          .listen(".rollcall:count", ({ users }: { users: number }) => seen.push(users))
          .joining(fail("joining"))
          .leaving(fail("leaving"));
        const room = client.channel("presence-room");
        room.bind("pusher:subscription_error", fail("subscription_error"));
        await until(() => seen.length === 2);
        const { count, me } = room.members;
        assert.deepEqual([count, me.id], [1, "ann"]);
        const cem = await rig.member("cem");
        await until(() => seen.length === 3);
        cem.close();
        await until(() => seen.length === 4);
        assert.deepEqual(seen, [["ann"], 2, 3, 2]);
        client.disconnect();
        await until(() => rig.realtime.stats().connections === 1);
      });
    }
  }
});
