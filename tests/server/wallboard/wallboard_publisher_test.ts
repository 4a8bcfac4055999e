import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { UsersCounted } from "@/shared/wallboard.ts";
import { WallboardPublisher } from "@/server/wallboard/wallboard_publisher.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** A publisher whose clock, channels and count the test sets. */
class Stage {
  readonly clock = new ManualClock();
  readonly occupied = new Set<string>();
  readonly sent: (UsersCounted & { channel: string; now: number })[] = [];
  users = 0;
  expected: number | undefined;
  staleSince: number | undefined;
  readonly publisher = new WallboardPublisher({
    counts: () => ({ users: this.users, connections: 2 * this.users }),
    expected: () => this.expected,
    staleSince: () => this.staleSince,
    isOccupied: (channel) => this.occupied.has(channel),
    publish: (channel, counted) => this.sent.push({ channel, ...counted, now: this.clock.now() }),
    clock: this.clock,
    log() {},
  });

  join(channel: string): void {
    this.occupied.add(channel);
    this.publisher.joined(channel);
  }

  count(users: number): void {
    this.users = users;
    this.publisher.changed();
  }

  get last(): unknown {
    const { channel, users, connections, at } = this.sent.at(-1)!;
    return { channel, users, connections, at };
  }
}

describe("the publisher of the wallboards' count", () => {
  it("sends the count to a channel when a page joins, and again for a second page", () => {
    const stage = new Stage();
    stage.count(3);
    stage.join("a");
    stage.clock.advance(0);
    const at = stage.clock.date();
    assert.deepEqual(stage.last, { channel: "a", users: 3, connections: 6, at });
    stage.clock.advance(1_000);
    stage.join("a");
    stage.clock.advance(0);
    assert.equal(stage.sent.length, 2);
  });

  it("says how many are expected back until the number can be believed", () => {
    const stage = new Stage();
    stage.expected = 56;
    stage.join("a");
    stage.clock.advance(0);
    assert.equal(stage.sent.at(-1)?.expected, 56);
    stage.expected = undefined;
    stage.count(56);
    stage.clock.advance(250);
    assert.equal(stage.sent.at(-1)?.expected, undefined);
  });

  it("sends at most four counts per second of many changes, the last one included", () => {
    const stage = new Stage();
    stage.join("a");
    stage.clock.advance(0);
    for (let users = 1; users <= 1_000; users++) {
      stage.count(users);
      stage.clock.advance(1);
    }
    stage.clock.advance(250);
    assert.ok(stage.sent.length <= 6, `${stage.sent.length} events`);
    assert.equal(stage.sent.at(-1)?.users, 1_000);
  });

  it("sends the count every ten seconds while a page is joined", () => {
    const stage = new Stage();
    stage.join("a");
    stage.clock.advance(0);
    stage.clock.advance(30_000);
    assert.deepEqual(stage.sent.map(({ now }) => now), [0, 10_000, 20_000, 30_000]);
    stage.occupied.delete("a");
    stage.clock.advance(10_000);
    assert.deepEqual([stage.sent.length, stage.clock.timers], [4, 0]);
  });

  it("sends nothing and keeps no timer while no page is joined", () => {
    const stage = new Stage();
    stage.count(1);
    assert.deepEqual([stage.sent.length, stage.clock.timers], [0, 0]);
  });

  it("brings every occupied channel to the current count within 250 ms, after any steps", () => {
    const channel = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ join: channel }),
      fc.record({ leave: channel }),
      fc.record({ count: fc.nat(9) }),
      fc.record({ pass: fc.nat(12_000) }),
    );
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const stage = new Stage();
      for (const step of steps) {
        if ("join" in step) stage.join(step.join);
        else if ("leave" in step) stage.occupied.delete(step.leave);
        else if ("count" in step) stage.count(step.count);
        else stage.clock.advance(step.pass);
      }
      stage.clock.advance(250);
      for (const channel of stage.occupied) {
        const received = stage.sent.filter((event) => event.channel === channel);
        assert.equal(received.at(-1)?.users, stage.users);
        const times = received.map(({ now }) => now);
        assert.ok(times.every((time, index) => index === 0 || time - times[index - 1] >= 250));
      }
      stage.occupied.clear();
      stage.clock.advance(10_000);
      assert.equal(stage.clock.timers, 0);
    }));
  });
});
