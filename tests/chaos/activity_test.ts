import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ActivityLog } from "./truth/activity.ts";

const joined = (user: string) => ({ user, change: "joined" as const });
const left = (user: string) => ({ user, change: "left" as const });

describe("the stored activity in the fault test", () => {
  it("is right when joins and leaves alternate and end as the truth is", () => {
    const log = new ActivityLog();
    const added = [joined("ann"), joined("bob"), left("ann"), joined("ann")];
    assert.deepEqual(log.compare(added, new Set(["ann", "bob"])), { doubles: [], wrong: [] });
  });

  it("is wrong about doubles, ghosts and who is missing", () => {
    const log = new ActivityLog();
    log.accept(new Set(["ann"]));
    assert.deepEqual(log.compare([joined("ann"), left("bob"), joined("cid")], new Set(["dan"])), {
      doubles: ["ann joined twice", "bob left twice"],
      wrong: ["ann has not left", "cid has not left", "dan has not joined"],
    });
  });

  it("goes on from what was accepted", () => {
    const log = new ActivityLog();
    log.accept(new Set(["ann"]));
    assert.deepEqual(log.compare([left("ann")], new Set()), { doubles: [], wrong: [] });
  });
});
