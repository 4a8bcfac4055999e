import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { departuresOf, outboxId, recordsOf } from "@/realtime/webhooks/outbox.ts";
import type { PendingDeparture } from "@/realtime/webhooks/pending_departures.ts";

const left = (appId: string, userId: string): PendingDeparture => ({
  appId,
  departure: { name: "member_removed", channel: "presence-a", userId, reason: "closed" },
});

describe("Departures that outlive a restart", () => {
  it("stay with their app, and are of the restart, since it kept the users from returning", () => {
    const pending = [left("1", "ann"), left("2", "bob")];
    const records = recordsOf(pending, () => ({ id: "id", acceptedAt: 0 }));
    const restored = records.flatMap(departuresOf);
    assert.deepEqual(restored.map(({ appId, departure }) => ({ appId, ...departure })), [
      { appId: "1", ...left("1", "ann").departure, reason: "server_restart" },
      { appId: "2", ...left("2", "bob").departure, reason: "server_restart" },
    ]);
  });
});

it("The ids of saved events have the order in which they were accepted", () => {
  const ids = [outboxId(999, 5), outboxId(1_000, 2), outboxId(1_000, 10), outboxId(1_000, 100)];
  assert.deepEqual(ids.toSorted(), ids);
});
