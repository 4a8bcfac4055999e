import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { memberIds } from "@/components/presence/presence_connection.ts";

describe("the ids of the members", () => {
  it("are the keys of pusher-js's list, whatever data the members have", () => {
    const members = JSON.parse(
      '{"u1":{"id":"x"},"10":{"name":"Ann"},"__proto__":{"id":"x"},"u2":null}',
    );
    assert.deepEqual(memberIds({ members }).sort(), ["10", "__proto__", "u1", "u2"]);
  });
});
