import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  type EventLines,
  type ListedLine,
  noLines,
  shownLines,
  withEvents,
} from "@/components/channels/event_lines.ts";
import { reduceInspection, statusOf } from "@/components/channels/use_inspection.ts";
import { type InspectedEvents, maxKeptEvents } from "@/shared/inspection.ts";

/** Events as the server sends them: numbers with their names. */
function events(numbered: [number, string][], skipped = 0, inspection = "i"): InspectedEvents {
  const lines = numbered.map(([number, name]) => ({
    number,
    name,
    at: 0,
    bytes: 2,
    from: "api" as const,
  }));
  return { inspection, lines, skipped };
}

const text = (line: ListedLine) => "line" in line ? line.line.name : line.skipped;
const texts = ({ lines }: EventLines) => lines.map(text);

describe("the events on a page", () => {
  it("are added once, whether they came with the page, an answer or an event", () => {
    const first = withEvents(noLines, events([[1, "a"]]));
    const second = withEvents(first, events([[1, "a"], [2, "b"]]));
    assert.deepEqual([texts(second), second.added], [["a", "b"], 2]);
    assert.equal(withEvents(second, events([[2, "b"]])), second);
  });

  it("of another inspection, which numbers them from the start, are other events", () => {
    const both = withEvents(withEvents(noLines, events([[1, "a"]])), events([[1, "b"]], 0, "j"));
    assert.deepEqual(texts(both), ["a", "b"]);
  });

  it("that are not shown are counted where they passed by", () => {
    const lines = withEvents(withEvents(noLines, events([[1, "a"]], 7)), events([[9, "b"]], 3));
    assert.deepEqual(texts(lines), ["a", 7, "b", 3]);
    assert.equal(new Set(lines.lines.map(({ key }) => key)).size, 4, "each has its own key");
  });

  it("are the last 200", () => {
    let lines = noLines;
    for (let number = 1; number <= maxKeptEvents + 5; number++) {
      lines = withEvents(lines, events([[number, String(number)]]));
    }
    assert.deepEqual([lines.lines.length, texts(lines)[0]], [maxKeptEvents, "6"]);
    assert.equal(lines.added, maxKeptEvents + 5);
  });

  it("are shown newest first, by a part of their names in any case", () => {
    const { lines } = withEvents(noLines, events([[1, "Order.paid"], [2, "b"], [3, "reorder"]], 4));
    assert.deepEqual(shownLines(lines, " ORDER ").map(text), [4, "reorder", "Order.paid"]);
    assert.deepEqual(shownLines(lines, "").map(text), [4, "reorder", "b", "Order.paid"]);
  });
});

describe("the status of the events", () => {
  const start = { ...noLines, status: "connecting" as const };
  const opened = { type: "opened", events: events([[1, "a"]]) } as const;

  it("is live once the server follows them, and not while the connection is lost", () => {
    const live = reduceInspection(start, opened);
    assert.deepEqual([live.status, texts(live)], ["live", ["a"]]);
    const lost = { status: "reconnecting", reason: "" } as const;
    assert.equal(statusOf(live, lost).status, "reconnecting");
    assert.equal(statusOf(live, { status: "live", reason: "" }).status, "live");
    assert.equal(statusOf(start, { status: "live", reason: "" }).status, "connecting");
    assert.equal(reduceInspection(live, { type: "left" }).status, "connecting");
  });

  it("has the reason of a refusal, until the server follows them again", () => {
    const refused = reduceInspection(start, { type: "refused", reason: "No." });
    assert.deepEqual([refused.status, refused.reason], ["refused", "No."]);
    assert.equal(reduceInspection(refused, opened).reason, undefined);
    assert.equal(statusOf(refused, { status: "reconnecting", reason: "" }).reason, "No.");
  });
});
