import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { countedTargets } from "@/server/presence/counted_target.ts";
import { usersTotal } from "@/server/live_view/totals_publisher.ts";
import { InspectedServer, own, shop } from "../channels/inspected_server.ts";
import type { FakeConnection } from "../../realtime/fake_connection.ts";

const named = [
  { channel: "presence-orders" },
  { appId: shop.id, channel: "presence-chart" },
  { appId: shop.id, channel: "presence-orders" },
  { appId: "unknown", channel: "presence-chart" },
];

describe("the sum of the users of the counted channels", () => {
  it("counts a user of an app once, in however many channels and connections", () => {
    const join = fc.record({
      do: fc.constant("join" as const),
      appId: fc.constantFrom(own.id, shop.id),
      channel: fc.constantFrom("presence-chart", "presence-orders", "presence-other"),
      userId: fc.constantFrom("1", "2", "3"),
    });
    const leave = fc.record({ do: fc.constant("leave" as const), index: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(fc.oneof(join, leave), { maxLength: 40 }), (steps) => {
        const server = new InspectedServer();
        const channels = countedTargets(named, own.id).map((target) => (
          { ...target, presence: new ChannelPresence(server.realtime, target) }
        ));
        const joined: [place: string, userId: string, client: FakeConnection][] = [];
        for (const step of steps) {
          if (step.do === "join") {
            const client = server.join(step.appId, step.channel, step.userId);
            joined.push([`${step.appId}/${step.channel}`, step.userId, client]);
          } else if (step.index < joined.length) {
            server.leave(joined.splice(step.index, 1)[0][2]);
          }
          const users = channels.map(({ appId, channel }) =>
            new Set(
              joined.filter(([place]) => place === `${appId}/${channel}`)
                .map(([, userId]) => `${appId} ${userId}`),
            )
          );
          const total = usersTotal(channels.map(({ key, appId, presence }) => (
            { key, appId, userIds: presence.now.userIds }
          )));
          assert.deepEqual(total.channels.map(({ users }) => users), users.map(({ size }) => size));
          assert.equal(total.users, new Set(users.flatMap((ids) => [...ids])).size);
        }
      }),
    );
  });
});
