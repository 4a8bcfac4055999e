import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import pusher8 from "pusher-js";
import pusher4 from "pusher-js-4";
import pusher5 from "pusher-js-5";
import pusher6 from "pusher-js-6";
import pusher7 from "pusher-js-7";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { Pusher } from "../../fixtures/pusher_js.ts";
import { app, until } from "../harness.ts";
import { ApiHarness, posted } from "./harness.ts";

const libraries = { pusher4, pusher5, pusher6, pusher7, pusher8 };

describe("An update of a member", () => {
  for (const [name, library] of Object.entries(libraries)) {
    it(`is an event for pages with ${name} that bind it, and nothing to others`, async () => {
      await using harness = new ApiHarness();
      const { port } = harness;
      // The versions differ in their types.
      const client = new (library as unknown as typeof Pusher)(
        app.key,
        {
          cluster: "self",
          wsHost: "127.0.0.1",
          wsPort: port,
          forceTLS: false,
          enabledTransports: ["ws"],
          disableStats: true,
          authorizer: ({ name }: { name: string }) => ({
            authorize(socketId: string, answer: (error: unknown, data: unknown) => void) {
              const data = JSON.stringify({ user_id: "ann", user_info: { id: "ann" } });
              const auth = signChannel(app, socketId, name, data);
              // Until version 5, the first argument is whether it failed.
              answer(null, { auth, channel_data: data });
            },
          }),
        } as unknown as ConstructorParameters<typeof Pusher>[1],
      );
      const seen: unknown[] = [];
      // deno-lint-ignore no-explicit-any -- as members have no type of their own
      const channel = client.subscribe("presence-room") as any;
      channel.bind(
        "pusher:subscription_succeeded",
        ({ count }: { count: number }) => seen.push(count),
      );
      for (const event of ["pusher:member_added", "pusher:member_removed"]) {
        channel.bind(event, () => seen.push(event));
      }
      client.connection.bind("error", (error: unknown) => seen.push(error));
      await until(() => seen.length === 1);
      const update = async (user_info: unknown) => {
        const path = "/apps/1/channels/presence-room/users/ann";
        assert.deepEqual(await harness.send(posted(path, { user_info })), { status: 200 });
      };
      await update({ status: "here" });
      // Its page does not know the event before it binds it.
      await update({ status: "there" });
      channel.bind("rollcall:member_updated", (data: unknown) => seen.push(data));
      await update({ status: "away" });
      const data = { user_id: "ann", user_info: { status: "away" } };
      await until(() => JSON.stringify(seen.at(-1)) === JSON.stringify(data));
      assert.equal(seen[0], 1);
      assert.equal(seen.filter((one) => typeof one === "string").length, 0, JSON.stringify(seen));
      assert.deepEqual(channel.members.get("ann"), { id: "ann", info: { id: "ann" } });
      assert.equal(channel.members.count, 1);
      client.disconnect();
      await until(() => client.connection.state === "disconnected");
    });
  }
});
