import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { LeaveReason } from "@/realtime/server.ts";
import { MutePeer } from "../mute_peer.ts";
import { type Client, Harness, type HarnessOptions, until } from "../harness.ts";

const ways: Record<string, {
  options?: HarnessOptions;
  leave: (harness: Harness, client: Client) => unknown;
  reason: LeaveReason;
}> = {
  "closes its socket": { leave: (_, client) => client.close(), reason: "closed" },
  "leaves the channel and stays connected": {
    leave: (_, client) => client.send("pusher:unsubscribe", { channel: "presence-room" }),
    reason: "unsubscribed",
  },
  "is removed": { leave: ({ app }) => app.connections.closeUser("ann"), reason: "removed" },
  "is signed out": {
    leave: ({ app }) => app.connections.closeUser("ann", { cause: "signed_out" }),
    reason: "signed_out",
  },
  "errs too often": {
    options: { maxErrors: 0 },
    leave: (_, client) => client.sendRaw("no JSON"),
    reason: "refused",
  },
  "is here when the server stops": {
    leave: ({ realtime }) => realtime.drain(0),
    reason: "server_restart",
  },
};

function reasonsOf(harness: Harness): LeaveReason[] {
  const reasons: LeaveReason[] = [];
  harness.realtime.onServerEvent((event) => {
    if (event.name === "member_removed") reasons.push(event.reason);
  });
  return reasons;
}

describe("The leave reason", () => {
  for (const [name, { options, leave, reason }] of Object.entries(ways)) {
    it(`of a member that ${name} is passed to listeners`, async () => {
      await using harness = new Harness(options);
      const reasons = reasonsOf(harness);
      const client = await harness.member("ann");
      await leave(harness, client);
      await until(() => reasons.length > 0);
      assert.deepEqual(reasons, [reason]);
    });
  }

  it("of a silent member is timed_out", async () => {
    await using harness = new Harness({ idleTimeoutSeconds: 1 });
    const reasons = reasonsOf(harness);
    using peer = await MutePeer.connect(harness.port);
    await peer.join("ann");
    await until(() => reasons.length > 0);
    assert.deepEqual(reasons, ["timed_out"]);
  });

  it("of a user with several connections is the last connection's", async () => {
    await using harness = new Harness({ presenceGraceMs: 20 });
    const reasons = reasonsOf(harness);
    const [tab, phone] = [await harness.member("ann"), await harness.member("ann")];
    tab.send("pusher:unsubscribe", { channel: "presence-room" });
    await tab.settled();
    phone.close();
    await until(() => reasons.length > 0);
    assert.deepEqual(reasons, ["closed"]);
  });
});
