import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { PasswordWork, type WorkCause } from "@/server/accounts/passwords.ts";
import { BusyError } from "@/server/net/window_limits.ts";

/** Work that a test ends. */
function startedWork(work: PasswordWork, client: string, cause?: WorkCause) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const state = { hasStarted: false, end: resolve, fail: reject };
  const outcome = work.run(client, () => {
    state.hasStarted = true;
    return promise;
  }, cause);
  outcome.catch(() => {});
  return Object.assign(state, { outcome });
}

describe("the work of passwords", () => {
  it("runs at its limit, and the rest in the order in which it came", async () => {
    const work = new PasswordWork({ maxRunning: 2 });
    const all = ["a", "b", "c", "d"].map((client) => startedWork(work, client));
    const started = () => all.map(({ hasStarted }) => hasStarted);
    assert.deepEqual(started(), [true, true, false, false]);
    all[1].end();
    await all[1].outcome;
    assert.deepEqual(started(), [true, true, true, false]);
    all[0].fail(new Error("of the database"));
    await assert.rejects(all[0].outcome, /of the database/);
    assert.deepEqual(started(), [true, true, true, true]);
    all[2].end();
    all[3].end();
    await Promise.all([all[2].outcome, all[3].outcome]);
    const next = startedWork(work, "a");
    assert(next.hasStarted);
    next.end();
    await next.outcome;
  });

  it("is refused as busy beyond 12 of a client, and other clients' work is not", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const all = Array.from({ length: 12 }, () => startedWork(work, "a"));
    await assert.rejects(startedWork(work, "a").outcome, BusyError);
    all.push(startedWork(work, "b"));
    for (const { end } of all) end();
    await Promise.all(all.map(({ outcome }) => outcome));
  });

  it("is refused as busy beyond 32 that run and wait, of however many clients", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const all = Array.from({ length: 32 }, (_, index) => startedWork(work, `client ${index}`));
    const refused = startedWork(work, "another");
    await assert.rejects(
      refused.outcome,
      (error) => error instanceof BusyError && error.retryAfterSeconds === 5,
    );
    assert(!refused.hasStarted);
    for (const { end } of all) end();
    await Promise.all(all.map(({ outcome }) => outcome));
  });

  it("has room of its own for each cause, and one place for a user's own change", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const all = Array.from({ length: 32 }, (_, index) => startedWork(work, `client ${index}`));
    all.push(startedWork(work, "ada", "known_device"), startedWork(work, "ada", "admin"));
    for (let n = 0; n < 6; n++) all.push(startedWork(work, `user ${n}`, "own_change"));
    await assert.rejects(startedWork(work, "user 0", "own_change").outcome, BusyError);
    await assert.rejects(startedWork(work, "user 6", "own_change").outcome, BusyError);
    for (const { end } of all) end();
    await Promise.all(all.map(({ outcome }) => outcome));
  });

  it("gives each cause its turn, whatever waits of another", async () => {
    const work = new PasswordWork({ maxRunning: 1 });
    const strangers = Array.from({ length: 9 }, (_, n) => startedWork(work, `client ${n}`));
    const known = startedWork(work, "ada", "known_device");
    const change = startedWork(work, "ben", "own_change");
    for (const next of [strangers[0], known, strangers[1], change]) {
      assert(next.hasStarted);
      next.end();
      await next.outcome;
    }
    for (const { end } of strangers) end();
    await Promise.all(strangers.map(({ outcome }) => outcome));
  });
});
