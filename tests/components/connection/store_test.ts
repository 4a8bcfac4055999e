import assert from "node:assert/strict";
import { beforeEach, describe, it } from "@std/testing/bdd";
import {
  initialPresence,
  type Presence,
  type PresenceEvent,
  reducePresence,
} from "@/components/presence/presence.ts";
import { createStore, type Store } from "@/components/connection/store.ts";

describe("a store that islands share", () => {
  let store: Store<Presence>;
  let connections: number;
  let frames: (() => void)[];
  let report: (event: PresenceEvent) => void;

  beforeEach(() => {
    connections = 0;
    frames = [];
    store = createStore<Presence, PresenceEvent>({
      initial: initialPresence(0),
      reduce: reducePresence,
      connect: (reportTo) => {
        connections++;
        report = reportTo;
      },
      nextFrame: (callback) => frames.push(callback),
    });
  });

  const drawFrame = () => frames.splice(0).forEach((callback) => callback());

  it("connects once, at the first subscription", () => {
    assert.equal(connections, 0);
    const stop = store.subscribe(() => {});
    store.subscribe(() => {});
    stop();
    store.subscribe(() => {});
    assert.equal(connections, 1);
  });

  it("notifies every subscriber once a frame after any number of events", () => {
    const counts: (number | null)[] = [];
    store.subscribe(() => counts.push(store.current().users));
    store.subscribe(() => counts.push(store.current().users));
    report({ type: "here", ids: ["a"], at: 1 });
    for (const id of ["b", "c", "d"]) report({ type: "here", ids: ["a", id, "x", "y"], at: 2 });
    assert.deepEqual(counts, []);
    drawFrame();
    assert.deepEqual(counts, [4, 4]);
    report({ type: "here", ids: ["x", "y", "z"], at: 3 });
    drawFrame();
    assert.deepEqual(counts, [4, 4, 3, 3]);
  });

  it("requests no frame when nothing changed", () => {
    store.subscribe(() => {});
    report({ type: "received", at: 1 });
    assert.equal(frames.length, 0);
  });

  it("does not notify a listener after it unsubscribed", () => {
    const stop = store.subscribe(() => assert.fail("notified after unsubscribing"));
    report({ type: "here", ids: ["a"], at: 1 });
    stop();
    drawFrame();
  });
});
