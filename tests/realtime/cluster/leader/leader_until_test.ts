import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { leaderUntil, notLeader } from "@/realtime/cluster/leader/leadership.ts";

describe("the time of a leader", () => {
  it("lasts for less than the lease, counted from the request", () => {
    const until = leaderUntil(notLeader, { askedAt: 10, answeredAt: 50, answer: "given" }, 1_000);
    assert.equal(until, 960);
  });

  it("does not begin with an answer that comes after the lease", () => {
    const late = { askedAt: 10, answeredAt: 960, answer: "given" } as const;
    assert.equal(leaderUntil(notLeader, late, 1_000), notLeader);
  });

  it("stays as it is after a request that failed, until it is over", () => {
    const failed = { askedAt: 10, answer: "unknown" } as const;
    assert.equal(leaderUntil(500, { ...failed, answeredAt: 499 }, 1_000), 500);
    assert.equal(leaderUntil(500, { ...failed, answeredAt: 500 }, 1_000), notLeader);
  });

  it("ends when Redis refuses it", () => {
    const refused = { askedAt: 10, answeredAt: 20, answer: "refused" } as const;
    assert.equal(leaderUntil(500, refused, 1_000), notLeader);
  });
});
