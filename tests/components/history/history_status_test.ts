import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { isUpToDate } from "@/components/history/history_status.ts";

it("the line of the history is drawn as up to date at first and while its page is live", () => {
  for (const status of ["connecting", "live"] as const) {
    assert.equal(isUpToDate(status, false), true, status);
    assert.equal(isUpToDate(status, true), false, `${status}, but the history did not arrive`);
  }
  for (const status of ["reconnecting", "stale", "refused"] as const) {
    assert.equal(isUpToDate(status, false), false, status);
  }
});
