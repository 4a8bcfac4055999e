import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { EventOrder } from "./truth/event_order.ts";

function orderOf(sequences: Record<string, string>): EventOrder {
  const order = new EventOrder();
  for (const [connection, events] of Object.entries(sequences)) {
    for (const event of events) order.received(connection, event);
  }
  return order;
}

describe("the order of events in the fault test", () => {
  it("may lack events, differently for each client", () => {
    const order = orderOf({ one: "abcde", two: "bd", three: "ae", four: "" });
    assert.deepEqual(order.contradiction(), []);
  });

  it("is one for all clients", () => {
    assert.deepEqual(orderOf({ one: "abcd", two: "acbd" }).contradiction().toSorted(), [
      "b",
      "c",
      "d",
    ]);
  });

  it("is found wrong across several clients", () => {
    assert.equal(orderOf({ one: "ab", two: "bc", three: "ca" }).contradiction().length, 3);
  });

  it("has each event once for a connection", () => {
    const order = orderOf({ one: "ab", two: "a" });
    assert.equal(order.received("two", "b"), undefined);
    assert.equal(order.received("one", "a"), "was sent a twice");
    assert.equal(order.has("one", "b"), true);
    order.clear();
    assert.equal(order.received("one", "a"), undefined);
  });
});
