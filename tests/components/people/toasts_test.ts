import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { messageOf, readingMs, type Toast, withToast } from "@/components/people/toasts.ts";

const message = { from: "Ada", text: "Hello", sentAt: "2026-01-02T03:04:05.000Z" };

describe("the toasts on the screen", () => {
  const toast = (id: number): Toast => ({ ...message, id });
  const ids = (toasts: Toast[]) => toasts.map(({ id }) => id);
  const noneClaimed = () => false;

  it("are three at most: a fourth replaces the oldest", () => {
    let toasts: Toast[] = [];
    for (let id = 1; id <= 5; id++) toasts = withToast(toasts, toast(id), noneClaimed);
    assert.deepEqual(ids(toasts), [3, 4, 5]);
  });

  it("are not replaced while the reader points at them or has the focus in them", () => {
    const toasts = [1, 2, 3].map(toast);
    assert.deepEqual(ids(withToast(toasts, toast(4), (id) => id === 1)), [1, 3, 4]);
    assert.deepEqual(ids(withToast(toasts, toast(4), (id) => id < 3)), [1, 2, 4]);
    assert.deepEqual(ids(withToast(toasts, toast(4), () => true)), [1, 2, 3, 4]);
  });

  it("stay 10 s, and longer the longer the text is", () => {
    assert.ok(readingMs("") >= 10_000);
    assert.ok(readingMs("x".repeat(500)) >= 60_000);
  });

  it("are made from complete payloads only", () => {
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
