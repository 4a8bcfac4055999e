import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  type EventLines,
  type ListedLine,
  noLines,
  readableData,
  shownLines,
  withEvents,
} from "@/components/channels/event_lines.ts";
import { reduceInspection, statusOf } from "@/components/channels/use_inspection.ts";
import { type InspectedEvents, maxKeptEvents } from "@/shared/inspection.ts";
import { afterAnswer, frozenRows, type Polled } from "@/components/channels/polling.ts";

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

  const [join, leave] = ["pusher_internal:member_added", "pusher_internal:member_removed"];

  it("are listed without joins and leaves until the reader wants them, however they are filtered", () => {
    const { lines } = withEvents(noLines, events([[1, join], [2, "member_added"], [3, leave]]));
    assert.deepEqual(shownLines(lines, "", false).map(text), ["member_added"]);
    assert.deepEqual(shownLines(lines, "", true).map(text), [leave, "member_added", join]);
    assert.deepEqual(shownLines(lines, "removed", false), []);
  });

  it("stay however many joins and leaves follow, which are the last 200 too", () => {
    let lines = withEvents(noLines, events([[1, "paid"]]));
    for (let number = 2; number <= maxKeptEvents + 5; number++) {
      lines = withEvents(lines, events([[number, number % 2 ? join : leave]]));
    }
    assert.deepEqual([lines.lines.length, texts(lines)[0]], [maxKeptEvents + 1, "paid"]);
  });

  it("are shown newest first, by a part of their names in any case", () => {
    const { lines } = withEvents(noLines, events([[1, "Order.paid"], [2, "b"], [3, "reorder"]], 4));
    assert.deepEqual(shownLines(lines, " ORDER ", false).map(text), [4, "reorder", "Order.paid"]);
    assert.deepEqual(shownLines(lines, "", false).map(text), [4, "reorder", "b", "Order.paid"]);
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

const first: Polled<string> = { value: "old", path: "/a", status: "connecting", asOf: null };

describe("what a page asks for again and again", () => {
  it("is live after an answer, with its time", () => {
    assert.deepEqual(afterAnswer(first, "/b", { value: "new" }, 5), {
      value: "new",
      path: "/b",
      status: "live",
      asOf: 5,
    });
  });

  it("stays as it was after a failure, and is out of date", () => {
    const live = afterAnswer(first, "/a", { value: "new" }, 5);
    assert.deepEqual(afterAnswer(live, "/b", undefined, 9), { ...live, status: "outdated" });
  });

  it("stays as it was after a refusal, whose reason it has", () => {
    const refused = afterAnswer(first, "/a", { reason: "Gone." }, 5);
    assert.deepEqual(refused, { ...first, status: "refused", reason: "Gone." });
  });
});

describe("rows that are held", () => {
  it("keep their places, with the latest values, and let no others in", () => {
    const row = (name: string, count: number) => ({ name, count });
    const held = frozenRows(
      [row("a", 1), row("b", 1)],
      [row("c", 9), row("b", 5)],
      ({ name }) => name,
    );
    assert.deepEqual(held, [row("a", 1), row("b", 5)]);
  });
});

describe("the data of an event, for reading", () => {
  it("is JSON in lines of its own, with every digit of its numbers", () => {
    const data = '{"id":12345678901234567890,"total":17.50,"a":[ ],"b":{"c":[1,"}, \\"{"]}}';
    assert.equal(
      readableData(data),
      `{
  "id": 12345678901234567890,
  "total": 17.50,
  "a": [],
  "b": {
    "c": [
      1,
      "}, \\"{"
    ]
  }
}`,
    );
  });

  it("is the text as it is where that is not JSON", () => {
    for (const text of ["<b>{", "", '{"a":1']) assert.equal(readableData(text), text);
  });

  it("is laid out as JSON.stringify does, and has the same meaning", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text);
        assert.equal(readableData(JSON.stringify(value)), JSON.stringify(value, null, 2));
        assert.deepEqual(JSON.parse(readableData(text)), value);
      }),
    );
  });
});
