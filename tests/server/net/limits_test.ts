import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  BusyError,
  ConcurrencyLimit,
  SendingLimit,
  WindowLimit,
} from "@/server/net/window_limits.ts";
import { FairTurns } from "@/server/net/fair_turns.ts";

const limit = { most: 20, windowMs: 60_000 };

describe("a limit within a window", () => {
  it("makes a client wait after 20 in a minute, and no other client", () => {
    let now = 5_000;
    const limited = new WindowLimit(limit, () => now);
    for (let count = 0; count < 20; count++) {
      assert.equal(limited.waitSeconds("client"), null);
      limited.add("client");
    }
    assert.equal(limited.waitSeconds("client"), 60);
    assert.equal(limited.waitSeconds("another"), null);
    now += 59_001;
    assert.equal(limited.waitSeconds("client"), 1);
    now += 999;
    assert.equal(limited.waitSeconds("client"), null);
    limited.add("client");
    assert.equal(limited.waitSeconds("client"), null);
  });

  it("makes a client wait again after 20 more in a later minute", () => {
    let now = 0;
    const limited = new WindowLimit(limit, () => now);
    limited.add("client");
    now = 60_000;
    for (let count = 0; count < 20; count++) limited.add("client");
    assert.equal(limited.waitSeconds("client"), 60);
  });

  it("remembers a client by its latest minute", () => {
    let now = 0;
    const limited = new WindowLimit(limit, () => now);
    limited.add("first");
    for (let client = 1; client < 10_000; client++) limited.add(`client ${client}`);
    now = 60_000;
    for (let count = 0; count < 20; count++) limited.add("first");
    limited.add("client 10000");
    assert.equal(limited.waitSeconds("first"), 60);
  });

  it("forgets the oldest of 10,000 clients for a new one", () => {
    const limited = new WindowLimit(limit, () => 0);
    for (let count = 0; count < 20; count++) limited.add("first");
    for (let client = 1; client < 10_000; client++) limited.add(`client ${client}`);
    assert.equal(limited.waitSeconds("first"), 60);
    limited.add("client 10000");
    assert.equal(limited.waitSeconds("first"), null);
  });
});

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

describe("The limit of work at a time", () => {
  it("refuses a client beyond its share and all beyond the whole, and gives room back", async () => {
    const limit = new ConcurrencyLimit({ max: 3, maxPerClient: 2, retryAfterSeconds: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = (client: string) => limit.run(client, () => promise);
    const running = [run("a"), run("a")];
    await assert.rejects(run("a"), BusyError);
    running.push(run("b"));
    await assert.rejects(run("c"), BusyError);
    resolve();
    await Promise.all(running);
    assert.equal(limit.count, 0);
    await Promise.all(["a", "a", "c"].map(run));
  });
});

/** Turns whose ticks a test makes, and what has begun. */
function turnsByHand(most: number) {
  const ticks: (() => void)[] = [];
  const begun: string[] = [];
  const turns = new FairTurns(most, (call) => void ticks.push(call));
  return {
    begun,
    turns,
    ticks,
    take(client: string, what: string) {
      const turn = turns.take(client);
      if (turn) void turn.then(() => begun.push(what));
      else begun.push(what);
    },
    /** @returns what began in the tick */
    async tick(): Promise<string[]> {
      const before = begun.length;
      for (const call of ticks.splice(0)) call();
      await Promise.resolve();
      return begun.slice(before);
    },
  };
}

describe("work that comes all at once", () => {
  it("begins at once while there is little, and later in each tick no more than the most", async () => {
    const { begun, take, tick } = turnsByHand(3);
    for (let index = 0; index < 8; index++) take("ann", `${index}`);
    assert.deepEqual(begun, ["0", "1", "2"]);
    assert.deepEqual(await tick(), ["3", "4", "5"]);
    assert.deepEqual(await tick(), ["6", "7"]);
    take("ann", "8");
    assert.deepEqual(begun.at(-1), "8", "the tick had room for one more");
    take("ann", "9");
    assert.deepEqual(begun.at(-1), "8");
    assert.deepEqual(await tick(), ["9"]);
  });

  it("begins of the clients in rotation, so that one who sends little does not wait for one who sends much", async () => {
    const { take, tick } = turnsByHand(2);
    for (let index = 0; index < 100; index++) take("ann", `ann ${index}`);
    take("ben", "ben 0");
    take("cleo", "cleo 0");
    take("ben", "ben 1");
    assert.deepEqual(await tick(), ["ann 2", "ben 0"]);
    take("dan", "dan 0");
    assert.deepEqual(await tick(), ["cleo 0", "ann 3"]);
    assert.deepEqual(await tick(), ["ben 1", "dan 0"]);
    assert.deepEqual(await tick(), ["ann 4", "ann 5"]);
  });

  it("awaits no tick once nothing comes any more", async () => {
    const { take, tick, ticks } = turnsByHand(2);
    for (const what of ["0", "1", "2"]) take("ann", what);
    assert.equal(ticks.length, 1);
    await tick();
    await tick();
    assert.deepEqual(ticks, []);
  });

  it("begins all, each client's in its order, and no client waits for more than one turn of each other", async () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom("ann", "ben", "cleo", "dan") },
        { weight: 1, arbitrary: fc.constant("tick") },
      ),
      { maxLength: 200 },
    );
    await fc.assert(fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (all, most) => {
      const { begun, take, tick, turns } = turnsByHand(most);
      const taken: string[] = [];
      for (const step of all) {
        if (step === "tick") assert.ok((await tick()).length <= most);
        else {
          const what = `${step} ${taken.length}`;
          taken.push(what);
          take(step, what);
        }
      }
      while (turns.waiting > 0) {
        const some = (await tick()).map((what) => what.split(" ")[0]);
        const left = new Set(taken.filter((what) => !begun.includes(what)).map(nameOf));
        // Who is left out of a tick had to wait for others only, and for none of them twice.
        if (left.difference(new Set(some)).size > 0) assert.equal(new Set(some).size, some.length);
      }
      for (const name of ["ann", "ben", "cleo", "dan"]) {
        const of = (whats: string[]) => whats.filter((what) => nameOf(what) === name);
        assert.deepEqual(of(begun), of(taken));
      }
    }));
  });
});

function nameOf(what: string): string {
  return what.split(" ")[0];
}
