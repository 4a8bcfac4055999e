import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { SessionWatch } from "@/server/accounts/sessions.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

describe("the watch of sessions", () => {
  it("closes connections of a session that ended elsewhere, at the next try after a failure", async () => {
    const clock = new ManualClock();
    const open = new Set(["going", "over"]);
    const closed: string[] = [];
    const failures: unknown[] = [];
    let isAway = true;
    const watch = new SessionWatch({
      clock,
      accounts: {
        endedSessions(ids) {
          if (isAway) return Promise.reject(new Error("the database is away"));
          return Promise.resolve(ids.filter((id) => id === "over"));
        },
      },
      ownApp: () => ({
        connections: {
          sessionIds: () => new Set(open),
          closeSession(id, options) {
            closed.push(`${id} ${options?.code} ${options?.cause}`);
            return Number(open.delete(id));
          },
        },
      }),
      failed: (error) => failures.push(error),
    });
    clock.advance(5_000);
    await until(() => clock.timers > 0, "the next look was set");
    assert.deepEqual([closed.length, failures.length], [0, 1]);
    isAway = false;
    clock.advance(5_000);
    await until(() => clock.timers > 0, "the next look was set");
    assert.deepEqual(closed, ["over 4200 signed_out"]);
    await watch.stop();
    assert.equal(clock.timers, 0);
  });

  it("does not look again when it was stopped during a look", async () => {
    const clock = new ManualClock();
    const looks: (() => void)[] = [];
    const watch = new SessionWatch({
      clock,
      accounts: { endedSessions: () => new Promise((resolve) => looks.push(() => resolve([]))) },
      ownApp: () => ({ connections: { sessionIds: () => new Set(), closeSession: () => 0 } }),
      failed: (error) => assert.fail(String(error)),
    });
    clock.advance(5_000);
    const stopped = watch.stop();
    assert.equal(looks.length, 1);
    looks[0]();
    await stopped;
    assert.equal(clock.timers, 0);
  });
});
