import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import type { Bounds } from "./bounds.ts";
import type { Tab } from "./crowd/tab.ts";
import { Witness } from "./crowd/witness.ts";
import type { Server } from "./installation/server.ts";
import type { Disturbance } from "./truth/records.ts";
import { ActivityLog, difference, EventOrder, ListView } from "./truth/views.ts";
import { isExplained } from "./starts.ts";
import { Violations } from "./truth/promises.ts";

const bounds: Bounds = {
  leaseMs: 10_000,
  heartbeatMs: 1_000,
  graceMs: 1_500,
  drainMs: 500,
  returnMs: 5_000,
  slackMs: 3_000,
};
const sentAway = "4200 Connect to another server";

/** What is violated when a server closes a connection, with the time since faults in milliseconds. */
function closed(
  reason: string,
  agoMs: number,
  faults: Partial<Disturbance>[],
  { process, serverNumber = "2" }: Partial<Tab> = {},
): string[] {
  using time = new FakeTime();
  const witness = new Witness(bounds);
  const found: string[] = [];
  witness.onViolation = ({ text, who }) => found.push(`${who}: ${text}`);
  const until = performance.now() - agoMs;
  for (const fault of faults) {
    witness.disturbances.push({ name: "fault", from: until - 30_000, until, ...fault });
  }
  const server = { name: "A", state: "running", number: "2" } as Server;
  const tab = { name: "tab 1", serverNumber, process } as Tab;
  witness.closed(tab, server, reason);
  time.tick(1_000);
  return found;
}

describe("a connection that a server closes in the fault test", () => {
  const cut = { server: "A", mayEndLease: true };

  it("is a violation without a fault", () => {
    assert.deepEqual(closed(sentAway, 0, []), [`tab 1: A closed with ${sentAway}`]);
  });

  it("may be sent away by a server that is partitioned from Redis, and shortly after that", () => {
    assert.deepEqual(closed(sentAway, -1_000, [cut]), []);
    assert.deepEqual(closed(sentAway, 7_900, [cut]), []);
    assert.equal(closed(sentAway, 8_100, [cut]).length, 1);
  });

  it("may not be closed for another reason then, nor be sent away by another server", () => {
    assert.equal(closed("1006", 0, [cut]).length, 1);
    assert.equal(closed(sentAway, 0, [{ ...cut, server: "B" }]).length, 1);
  });

  it("may be closed unanswered by a server that was frozen for as long as it waits", () => {
    const unanswered = "1001 No response from ping frame.";
    const frozen = { server: "A", mayEndLease: true, holdsSigns: true };
    const lasting = (ms: number) => [{ ...frozen, from: performance.now() - ms }];
    assert.deepEqual(closed(unanswered, 0, lasting(14_000)), []);
    assert.deepEqual(closed("a code below 4000", 0, lasting(14_000)), []);
    assert.equal(closed(unanswered, 0, lasting(4_000)).length, 1);
    assert.equal(closed(unanswered, 0, [{ ...frozen, server: "B" }]).length, 1);
    assert.equal(closed("1006", 0, lasting(14_000)).length, 1);
  });

  it("may be closed for any reason by the process that the server had before", () => {
    assert.deepEqual(closed("4200 The server is stopping", 0, [], { serverNumber: "1" }), []);
  });

  it("may have been sent away while the client was frozen, which learns of it later", () => {
    const frozen = { server: undefined, process: "client process 1" };
    const faults = [{ ...cut, until: performance.now() - 20_000 }, frozen];
    const { process } = frozen;
    assert.deepEqual(closed(sentAway, 0, faults, { process }), []);
    assert.equal(closed(sentAway, 0, faults, { process: "client process 2" }).length, 1);
    assert.equal(closed(sentAway, 0, faults).length, 1);
    assert.equal(closed("1006", 0, [frozen], { process }).length, 1);
  });

  it("may not be sent away when Redis is away for all", () => {
    assert.equal(closed(sentAway, 0, [{}]).length, 1);
  });
});

describe("a new connection that a server refuses in the fault test", () => {
  const found = (server: string, data: unknown) => {
    const witness = new Witness(bounds);
    const texts: string[] = [];
    witness.onViolation = ({ text }) => texts.push(text);
    witness.disturb({ name: "cut", server: "A", mayEndLease: true });
    const tab = { name: "tab 1", server: { name: server, state: "running" } } as Tab;
    witness.unexpected(tab, "was sent an error", data);
    return texts;
  };

  it("is none of a server that is partitioned from Redis and says so", () => {
    const refusal = { code: 4100, message: "Connect to another server" };
    assert.deepEqual(found("A", refusal), []);
    assert.deepEqual(found("B", refusal), ["was sent an error"]);
    assert.deepEqual(found("A", { ...refusal, message: "Server full" }), ["was sent an error"]);
  });
});

describe("what a server needs to start in the fault test", () => {
  it("is away while Redis, PostgreSQL or its own connection to Redis is, and no longer", () => {
    const witness = new Witness(bounds);
    const times = { from: 10, until: 20 };
    witness.disturbances.push(
      { name: "Redis", ...times },
      { name: "own", server: "A", mayEndLease: true, ...times },
      { name: "database", isOfDatabase: true, ...times },
      { name: "another", server: "B", mayEndLease: true, ...times },
      { name: "clients", server: "A", ...times },
      { name: "frozen clients", process: "client process 1", ...times },
    );
    assert.deepEqual(witness.awayFor("A", 20), ["Redis", "own", "database"]);
    assert.deepEqual(witness.awayFor("A", 21), []);
    assert.deepEqual(witness.history.disturbances.map(({ name }) => name), [
      "Redis",
      "own",
      "another",
      "clients",
      "frozen clients",
    ]);
  });
});

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

describe("the violations of the fault test", () => {
  it("are one line when they happen to many clients in the same way", () => {
    const violations = new Violations();
    for (let number = 0; number < 10; number++) {
      violations.add({ promise: "lists", text: "lacks ann", who: `tab ${number}` }, 100 + number);
    }
    violations.add({ promise: "lists", text: "lacks bob", who: "tab 1", context: "; now" }, 900);
    assert.deepEqual(violations.take(5_108), []);
    assert.deepEqual(violations.take(5_109), [
      { at: 100, promise: "lists", text: "lacks ann: 10 times (tab 0, tab 1, tab 2, …)" },
    ]);
    assert.deepEqual(violations.take(), [
      { at: 900, promise: "lists", text: "lacks bob: tab 1; now" },
    ]);
    assert.deepEqual(violations.take(), []);
  });
});

describe("a start that fails in the fault test", () => {
  it("is explained by code 1 and a line that names what is away", () => {
    const line = "REDIS_URL: (secret, not shown) cannot be used (Redis at x: timeout); expected";
    assert.ok(isExplained(`Error: The server ended with code 1:\n{}\n${line}`));
    assert.ok(!isExplained(`Error: The server ended with code 2:\n${line}`));
    assert.ok(!isExplained("Error: The server ended with code 1:\nUncaught TypeError"));
  });
});

const joined = (user: string) => ({ user, change: "joined" as const });
const left = (user: string) => ({ user, change: "left" as const });

describe("the stored activity in the fault test", () => {
  it("is right when joins and leaves alternate and end as the truth is", () => {
    const log = new ActivityLog();
    const added = [joined("ann"), joined("bob"), left("ann"), joined("ann")];
    assert.deepEqual(log.compare(added, new Set(["ann", "bob"])), { doubles: [], wrong: [] });
  });

  it("is wrong about doubles, ghosts and who is missing", () => {
    const log = new ActivityLog();
    log.accept(new Set(["ann"]));
    assert.deepEqual(log.compare([joined("ann"), left("bob"), joined("cid")], new Set(["dan"])), {
      doubles: ["ann joined twice", "bob left twice"],
      wrong: ["ann has not left", "cid has not left", "dan has not joined"],
    });
  });

  it("goes on from what was accepted", () => {
    const log = new ActivityLog();
    log.accept(new Set(["ann"]));
    assert.deepEqual(log.compare([left("ann")], new Set()), { doubles: [], wrong: [] });
  });
});

function listOf(...ids: string[]) {
  const hash = Object.fromEntries(ids.map((id) => [id, { name: id }]));
  return { presence: { ids, count: ids.length, hash } };
}

describe("the list of a client of the fault test", () => {
  it("is what was sent first, with the changes since", () => {
    const view = new ListView();
    assert.equal(view.listed(listOf("ann", "bob"), "ann"), undefined);
    assert.equal(view.changed("added", { user_id: "cid" }), undefined);
    assert.equal(view.changed("removed", { user_id: "bob" }), undefined);
    assert.deepEqual([...view.users ?? []], ["ann", "cid"]);
  });

  const sent: [what: string, problem: RegExp, send: (view: ListView) => string | undefined][] = [
    [
      "an added member of the list",
      /who is in its list/,
      (view) => view.changed("added", { user_id: "ann" }),
    ],
    [
      "a removed member that is not in it",
      /who is not in its list/,
      (view) => view.changed("removed", { user_id: "bob" }),
    ],
    ["a second list", /second list/, (view) => view.listed(listOf("ann"), "ann")],
    ["a change without a user", /malformed change/, (view) => view.changed("added", {})],
  ];
  for (const [what, problem, send] of sent) {
    it(`does not allow ${what}`, () => {
      const view = new ListView();
      view.listed(listOf("ann"), "ann");
      assert.match(String(send(view)), problem);
    });
  }

  it("does not allow a change before the list", () => {
    assert.match(String(new ListView().changed("added", { user_id: "ann" })), /before its list/);
  });

  it("does not allow a list without its own user, or with another count", () => {
    assert.match(String(new ListView().listed(listOf("bob"), "ann")), /without its own user/);
    const { presence } = listOf("ann");
    assert.match(
      String(new ListView().listed({ presence: { ...presence, count: 2 } }, "ann")),
      /the count 2/,
    );
    assert.match(String(new ListView().listed({}, "ann")), /malformed list/);
  });
});

describe("the difference of a list to the truth", () => {
  it("names ghosts and who is missing", () => {
    assert.equal(difference(new Set(["a", "b"]), new Set(["b", "a"])), undefined);
    assert.equal(difference(new Set(["a", "b"]), new Set(["b", "c"])), "ghosts: a; missing: c");
  });

  it("is short for many", () => {
    const many = new Set(Array.from({ length: 20 }, (_, index) => `user-${index}`));
    assert.match(String(difference(many, new Set())), /^ghosts: user-0, .* and 12 more$/);
  });
});
