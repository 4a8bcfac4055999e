import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { maxKeptBytes, RecentEvents } from "@/server/channels/recent_events.ts";
import { type EventLine, maxKeptEvents } from "@/shared/inspection.ts";

const line = (number: number, bytes: number): EventLine => ({
  number,
  bytes,
  at: 0,
  name: "a",
  from: "api",
});

describe("the events that are kept of an inspection", () => {
  it("are the last 200", () => {
    const events = new RecentEvents();
    for (let number = 1; number <= maxKeptEvents + 1; number++) events.add(line(number, 1), "x");
    assert.deepEqual([events.lines.length, events.lines[0].number], [maxKeptEvents, 2]);
    assert.equal(events.find(1), undefined);
    assert.equal(events.find(2)?.data, "x");
  });

  it("have the data of the last ones, up to 1 MB together", () => {
    const events = new RecentEvents();
    for (let number = 1; number <= 3; number++) events.add(line(number, 400_000), `data ${number}`);
    assert.deepEqual([1, 2, 3].map((number) => events.find(number)?.data), [
      undefined,
      "data 2",
      "data 3",
    ]);
    assert.equal(events.lines.length, 3, "the lines stay");
  });

  it("never have the data of one that is too large alone, which drops no other", () => {
    const events = new RecentEvents();
    events.add(line(1, 10), "small");
    events.add(line(2, maxKeptBytes + 1), "large");
    assert.deepEqual([events.find(1)?.data, events.find(2)], ["small", undefined]);
  });
});
