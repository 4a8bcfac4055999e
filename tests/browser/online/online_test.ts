import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  initialOnline,
  type Online,
  type OnlineEvent,
  reduceOnline,
} from "../../../browser/online/online.ts";
import { personCalled, snapshotOf } from "../../fixtures/online_people.ts";
import type { Change, OnlineChanged } from "../../../shared/online.ts";

const joins = (version: number, id: string): OnlineChanged => {
  const changes: Change[] = [{ type: "joined", person: personCalled(id) }];
  return { version, changes, users: 0, connections: 0 };
};
const hears = (...changes: OnlineChanged[]): OnlineEvent => ({ type: "changed", changes, at: 5 });
const lists = (request: number, version: number, ...ids: string[]): OnlineEvent => {
  const snapshot = snapshotOf(version, ids.map((id) => personCalled(id)), 1_000);
  return { type: "listed", request, snapshot, at: 10 };
};
const subscribed: OnlineEvent = { type: "subscribed", at: 1 };
const fails = (request: number, at = 3): OnlineEvent => ({
  type: "failed",
  request,
  problem: "No list.",
  at,
});

/** What is known after events, from the beginning. */
function after(...events: OnlineEvent[]): Online {
  return events.reduce(reduceOnline, initialOnline);
}

const namesIn = ({ people }: Online) => people && [...people.byId.keys()];

describe("an admin's page that follows who is online", () => {
  const following = [subscribed, lists(1, 7, "ada", "ben")];

  it("asks for the list as soon as it hears of changes, and follows from there", () => {
    assert.equal(after().request.number, 0);
    const asking = after(subscribed);
    assert.deepEqual([asking.state, asking.request.number, asking.request.repetition], [
      "asking",
      1,
      0,
    ]);
    const { state, clockAhead, ...known } = after(...following, hears(joins(8, "cleo")));
    assert.deepEqual([state, clockAhead], ["following", 990]);
    assert.deepEqual(namesIn({ state, clockAhead, ...known }), ["ada", "ben", "cleo"]);
  });

  it("keeps what it hears before the list comes, and drops what the list says already", () => {
    const early = [subscribed, hears(joins(7, "ben")), hears(joins(8, "cleo"), joins(9, "dan"))];
    const online = after(...early, lists(1, 8, "ada", "cleo"));
    assert.deepEqual([online.state, namesIn(online)], ["following", ["ada", "cleo", "dan"]]);
  });

  it("asks for a new list when it missed something, and shows the old one meanwhile", () => {
    const online = after(...following, hears(joins(9, "dan")));
    assert.deepEqual([online.state, online.trueAt, namesIn(online)], ["asking", 5, ["ada", "ben"]]);
    assert.equal(online.request.number, 2);
    const again = reduceOnline(online, lists(2, 9, "dan"));
    assert.deepEqual([again.state, again.trueAt, namesIn(again)], ["following", null, ["dan"]]);
  });

  it("asks again when something is missing between the list and what it heard since", () => {
    const online = after(subscribed, hears(joins(9, "dan")), lists(1, 7, "ada"));
    assert.deepEqual([online.state, namesIn(online), online.request.number], [
      "asking",
      ["ada"],
      2,
    ]);
  });

  it("replaces the list after a reconnect, even by one of a lower version", () => {
    const dropped = after(...following, { type: "dropped", trueAt: 50 });
    assert.deepEqual([dropped.state, dropped.trueAt, namesIn(dropped)], ["waiting", 50, [
      "ada",
      "ben",
    ]]);
    const back = [subscribed, lists(2, 1, "ada")].reduce(reduceOnline, dropped);
    assert.deepEqual([back.state, namesIn(back)], ["following", ["ada"]]);
  });

  it("takes no notice of answers to what it asked before, nor of changes while it is cut off", () => {
    const dropped = after(subscribed, { type: "dropped", trueAt: 2 });
    for (const event of [lists(1, 7, "old"), fails(1), hears(joins(1, "old"))]) {
      assert.equal(reduceOnline(dropped, event), dropped);
    }
    const again = reduceOnline(dropped, subscribed);
    assert.equal(reduceOnline(again, lists(1, 7, "old")), again);
  });

  it("says that the list failed, and asks later and later", () => {
    let online = after(subscribed);
    for (const repetition of [1, 2, 3]) {
      online = reduceOnline(online, fails(online.request.number));
      assert.deepEqual([online.state, online.problem], ["asking", "No list."]);
      assert.equal(online.request.repetition, repetition);
    }
    const hurried = reduceOnline(online, { type: "hurried", at: 4 });
    assert.deepEqual([hurried.request.number, hurried.request.repetition], [5, 0]);
    assert.equal(reduceOnline(hurried, lists(5, 1, "ada")).problem, "");
  });

  it("waits before it asks again, unless nothing was asked for long", () => {
    const soon = after(...following, hears(joins(9, "x")));
    assert.equal(soon.request.repetition, 1);
    const late: OnlineEvent = { type: "changed", changes: [joins(9, "x")], at: 70_000 };
    assert.equal(after(...following, late).request.repetition, 0);
  });

  it("stops when it is refused, keeping what it knew", () => {
    const refused = after(...following, { type: "refused", problem: "Signed out.", trueAt: 60 });
    assert.deepEqual([refused.state, refused.problem, refused.trueAt, namesIn(refused)], [
      "refused",
      "Signed out.",
      60,
      ["ada", "ben"],
    ]);
    assert.equal(reduceOnline(refused, hears(joins(8, "x"))), refused);
    assert.equal(reduceOnline(refused, { type: "hurried", at: 70 }), refused);
  });

  it("does not grow without bound while the list does not come", () => {
    const many = Array.from({ length: 3_000 }, (_, version) => joins(version, "x"));
    assert.equal(after(subscribed, ...many.map((one) => hears(one))).held.length, 1_000);
  });
});
