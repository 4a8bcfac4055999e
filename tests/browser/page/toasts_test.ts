import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { messageOf, readingMs, type Toast, withToast } from "../../../browser/page/toasts.ts";

const message = { from: "Ada", text: "Hello", sentAt: "2026-01-02T03:04:05.000Z" };

describe("the messages on the screen", () => {
  const toast = (id: number): Toast => ({ ...message, id });
  const ids = (toasts: Toast[]) => toasts.map(({ id }) => id);
  const nobodyLooks = () => false;

  it("are three at most: the oldest goes", () => {
    let toasts: Toast[] = [];
    for (let id = 1; id <= 5; id++) toasts = withToast(toasts, toast(id), nobodyLooks);
    assert.deepEqual(ids(toasts), [3, 4, 5]);
  });

  it("do not go while the reader is busy with them", () => {
    const toasts = [1, 2, 3].map(toast);
    assert.deepEqual(ids(withToast(toasts, toast(4), (id) => id === 1)), [1, 3, 4]);
    assert.deepEqual(ids(withToast(toasts, toast(4), (id) => id < 3)), [1, 2, 4]);
    assert.deepEqual(ids(withToast(toasts, toast(4), () => true)), [1, 2, 3, 4]);
  });

  it("stay for longer, the longer they are", () => {
    assert.ok(readingMs("") >= 10_000);
    assert.ok(readingMs("x".repeat(500)) >= 60_000);
  });

  it("come from events of the right form only", () => {
    assert.deepEqual(messageOf({ ...message, more: 1 }), message);
    for (const field of ["from", "text", "sentAt"]) {
      for (const value of [undefined, null, 1, {}, ["x"]]) {
        assert.equal(messageOf({ ...message, [field]: value }), null);
      }
    }
    assert.equal(messageOf({ ...message, sentAt: "some day" }), null);
    for (const payload of [undefined, null, "text", 1]) assert.equal(messageOf(payload), null);
  });
});
