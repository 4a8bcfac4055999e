import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FrameCounter } from "@/tools/bench/crowd.ts";

function receive(counter: FrameCounter, text: string): void {
  const bytes = new TextEncoder().encode(text);
  counter.received(bytes.length, bytes);
}

describe("The counter of the benchmark's frames", () => {
  it("counts each frame with its word once, wherever what is read begins and ends", async () => {
    const text = "member_added ... member_removed member_addedmember_added ...";
    for (let size = 1; size <= text.length; size++) {
      const counter = new FrameCounter("member_added");
      const all = counter.more(3, () => {
        for (let at = 0; at < text.length; at += size) receive(counter, text.slice(at, at + size));
        return Promise.resolve();
      });
      await all;
      assert.equal(counter.count, 3, `read in pieces of ${size}`);
      assert.equal(counter.firstAt > 0 && counter.firstAt <= counter.lastAt, true);
    }
  });
});
