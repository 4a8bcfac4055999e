import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { MemoryLog } from "@/realtime/cluster/coordinator/coordinator.ts";

/** The texts of entries. */
function textsOf({ lines }: ReturnType<MemoryLog["read"]>): string[] {
  return lines.map(([, fields]) => fields?.[1] ?? "");
}

function logWith(...texts: string[]): MemoryLog {
  const log = new MemoryLog(() => 1_000, 1_000);
  for (const text of texts) log.append(["e", text]);
  return log;
}

describe("the log in memory", () => {
  it("hands out each entry once, in its order, and says which reading is the first", () => {
    const log = logWith("a", "b", "c");
    assert.deepEqual([log.read(">", 2).isNew, log.read(">", 2).isNew], [true, false]);
    log.append(["e", "d"]);
    assert.deepEqual(textsOf(log.read(">", 10)), ["d"]);
    assert.deepEqual(textsOf(log.read(">", 10)), []);
  });

  it("hands out again after an id what was read and not acknowledged, and forgets what was", () => {
    const log = logWith("a", "b", "c", "d");
    const [[first], [second]] = log.read(">", 3).lines;
    log.acknowledge([second]);
    assert.deepEqual(textsOf(log.read("0-0", 10)), ["a", "c"]);
    assert.deepEqual(textsOf(log.read(first, 10)), ["c"]);
    assert.deepEqual(textsOf(log.read("0-0", 1)), ["a"]);
    assert.deepEqual(textsOf(log.read(">", 10)), ["d"]);
    assert.equal(log.size, 3);
  });

  it("has ids that rise, whatever the clock does", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 5 })), (times) => {
      let now = 0;
      const log = new MemoryLog(() => now, 1_000);
      for (now of times) log.append(["e", ""]);
      const ids = log.read(">", 1_000).lines.map(([id]) => id.split("-").map(Number));
      const isRising = ids.every(([time, number], index) => {
        const [timeBefore, numberBefore] = ids[index - 1] ?? [0, 0];
        return time > timeBefore || time === timeBefore && number > numberBefore;
      });
      assert.ok(isRising, JSON.stringify(ids));
    }));
  });

  it("keeps a number of entries, and loses the oldest of more", () => {
    const log = new MemoryLog(() => 1_000, 3);
    for (const text of ["a", "b"]) log.append(["e", text]);
    log.read(">", 1);
    for (const text of ["c", "d", "e"]) log.append(["e", text]);
    assert.deepEqual([textsOf(log.read("0-0", 10)), textsOf(log.read(">", 10))], [[], [
      "c",
      "d",
      "e",
    ]]);
  });
});
