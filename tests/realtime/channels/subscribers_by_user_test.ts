import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { SubscribersByUser } from "@/realtime/channels/presence_tracker.ts";

const step = fc.record({
  isAdded: fc.boolean(),
  userId: fc.constantFrom("ann", "bob"),
  subscriber: fc.nat(3),
});

describe("the subscribers of each user", () => {
  it("are the subscribers that were added and not deleted, in the order in which they came", () => {
    fc.assert(fc.property(fc.array(step), (steps) => {
      const subscribers = Array.from({ length: 4 }, (_, id) => ({ id }));
      const byUser = new SubscribersByUser<{ id: number }>();
      const model: Record<string, Set<number>> = { ann: new Set(), bob: new Set() };
      for (const { isAdded, userId, subscriber } of steps) {
        if (isAdded) byUser.add(userId, subscribers[subscriber]);
        else byUser.delete(userId, subscribers[subscriber]);
        if (isAdded) model[userId].add(subscriber);
        else model[userId].delete(subscriber);
        for (const [user, ids] of Object.entries(model)) {
          assert.deepEqual(Array.from(byUser.of(user), ({ id }) => id), [...ids]);
        }
      }
    }));
  });
});
