import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { FairTurns } from "@/server/net/fair_turns.ts";

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
