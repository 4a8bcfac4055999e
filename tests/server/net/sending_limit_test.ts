import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { SendingLimit } from "@/server/net/window_limits.ts";

describe("the sending limit", () => {
  it("allows each sender its messages in any minute, and then gives the seconds to wait", () => {
    const limit = new SendingLimit(30);
    const start = 1_700_000_000_000;
    for (let count = 0; count < 30; count++) {
      assert.equal(limit.take("ada", start + count * 1_000), 0);
    }
    assert.equal(limit.take("ada", start + 30_000), 30);
    assert.equal(limit.take("ben", start + 30_000), 0);
    assert.equal(limit.take("ada", start + 59_999), 1);
    assert.equal(limit.take("ada", start + 60_000), 0, "the first one is a minute ago");
    assert.equal(limit.take("ada", start + 60_000), 1);
    assert.equal(limit.take("ada", start + 200_000), 0);
  });

  it("keeps the senders of the last minute only", () => {
    const limit = new SendingLimit(30);
    for (const sender of ["ada", "ben"]) limit.take(sender, 0);
    limit.take("ben", 1);
    limit.take("cleo", 60_000);
    assert.equal(limit.senders, 2);
  });
});
