import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the log of a flood", () => {
  it("has at most 60 identical lines a minute, and a count of the others", async () => {
    await using server = await Rollcall.start();
    const stranger = new HttpVisitor(server.origin);
    await stranger.get("/sign-in");
    // One after the other: of many at once, some are told to come back later.
    for (let number = 0; number < 100; number++) {
      const form = { email: `not an address ${number}`, password: "x" };
      assert.equal((await stranger.submit("/sign-in", form)).status, 422);
    }
    await server.stop();
    assert.equal(server.log.match(/Sign-in refused .*reason=invalid/g)?.length, 60);
    const leftOut = /log: Repeated lines omitted count=40 lines="accounts Sign-in/;
    assert.match(server.log, leftOut);
  });
});
