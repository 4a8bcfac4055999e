import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { initialOnline, type OnlineState } from "@/components/live_view/online.ts";
import { initialPresence, reconnectingMs, type Status } from "@/components/presence/presence.ts";
import { onlineTableStatus } from "@/components/live_view/snapshot.ts";

const now = 1_000_000;

describe("the status of the online table", () => {
  for (
    const [number, list, trueAt, expected, asOf] of [
      ["live", "following", null, "live", now],
      ["live", "asking", null, "connecting", null],
      ["live", "waiting", now - 500, "reconnecting", now - 500],
      ["live", "asking", now - reconnectingMs - 1, "stale", now - reconnectingMs - 1],
      ["live", "refused", now - 500, "refused", now - 500],
      ["reconnecting", "waiting", now - 500, "reconnecting", now],
      ["reconnecting", "following", null, "reconnecting", now],
      ["stale", "waiting", now - 500, "stale", now],
      ["connecting", "waiting", null, "connecting", now],
      ["refused", "waiting", null, "refused", now],
    ] satisfies [Status, OnlineState, number | null, Status, number | null][]
  ) {
    it(`is ${expected} when the number is ${number} and the list ${list}${trueAt === null ? "" : ` since ${now - trueAt} ms`}`, () => {
      const presence = { ...initialPresence(0), status: number, asOf: now };
      const table = onlineTableStatus(presence, { ...initialOnline, state: list, trueAt }, now);
      assert.deepEqual([table.status, table.asOf], [expected, asOf]);
    });
  }
});
