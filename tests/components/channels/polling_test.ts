import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { afterAnswer, frozenRows, type Polled } from "@/components/channels/polling.ts";

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
    assert.deepEqual(afterAnswer(live, "/b", undefined, 9), { ...live, status: "stale" });
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
