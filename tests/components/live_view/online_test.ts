import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  initialOnline,
  type Online,
  type OnlineEvent,
  reduceOnline,
} from "@/components/live_view/online.ts";
import type { AlertView } from "@/shared/alert.ts";
import type { Change, OnlineChanged, Person } from "@/shared/online.ts";
import { listOf, personCalled } from "../../fixtures/doubles.ts";

const joins = (version: number, id: string): OnlineChanged => {
  const changes: Change[] = [{ type: "joined", person: personCalled(id) }];
  return { epoch: "one", version, changes };
};
const hears = (...changes: OnlineChanged[]): OnlineEvent => ({ type: "changed", changes, at: 5 });
const lists = (request: number, version: number, ...ids: string[]): OnlineEvent => {
  const list = listOf(version, ids.map((id) => personCalled(id)), 1_000);
  return { type: "listed", request, list, at: 10 };
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

describe("the list of an admin's page", () => {
  const following = [subscribed, lists(1, 7, "ada", "ben")];

  it("is requested once the page receives changes, and follows them from there", () => {
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

  it("applies the changes received before it arrived, without those it contains", () => {
    const early = [subscribed, hears(joins(7, "ben")), hears(joins(8, "cleo"), joins(9, "dan"))];
    const online = after(...early, lists(1, 8, "ada", "cleo"));
    assert.deepEqual([online.state, namesIn(online)], ["following", ["ada", "cleo", "dan"]]);
  });

  it("brings the alert, which events replace, also events that arrive before it", () => {
    const threshold = { users: 5, direction: "up" as const, holdSeconds: 60 };
    const set: AlertView = { threshold, phase: "normal", since: null };
    const crossed: AlertView = { threshold, phase: "active", since: 3 };
    const list = { ...listOf(7, []), alert: set };
    const listed: OnlineEvent = { type: "listed", request: 1, list, at: 10 };
    assert.equal(after(subscribed).alert, null);
    assert.equal(after(subscribed, listed).alert, set);
    assert.equal(after(subscribed, listed, { type: "alert", alert: crossed }).alert, crossed);
    assert.equal(after(subscribed, { type: "alert", alert: crossed }, listed).alert, crossed);
    const again: OnlineEvent = { ...listed, request: 2 };
    const lost: OnlineEvent[] = [{ type: "dropped", trueAt: 4 }, subscribed];
    assert.equal(
      after(subscribed, listed, { type: "alert", alert: crossed }, ...lost, again).alert,
      set,
    );
  });

  it("brings the recovery of the number, until the server says that it is over", () => {
    const recovery = { expected: 5, startedAt: 0, most: 1, grewAt: 0, uncertainMs: 0 };
    const listed: OnlineEvent = {
      type: "listed",
      request: 1,
      at: 0,
      list: { ...listOf(7, []), recovery },
    };
    assert.equal(after(subscribed, listed).recovery, recovery);
    assert.equal(after(subscribed, listed, { type: "recovered" }).recovery, null);
  });

  it("is requested again when a change is missing, and the old one is shown meanwhile", () => {
    const online = after(...following, hears(joins(9, "dan")));
    assert.deepEqual([online.state, online.trueAt, namesIn(online)], ["asking", 5, ["ada", "ben"]]);
    assert.equal(online.request.number, 2);
    const again = reduceOnline(online, lists(2, 9, "dan"));
    assert.deepEqual([again.state, again.trueAt, namesIn(again)], ["following", null, ["dan"]]);
  });

  it("is requested again when a change is missing between it and those received since", () => {
    const online = after(subscribed, hears(joins(9, "dan")), lists(1, 7, "ada"));
    assert.deepEqual([online.state, namesIn(online), online.request.number], [
      "asking",
      ["ada"],
      2,
    ]);
  });

  it("is asked for again after an event of another server, however high its version is", () => {
    const other = { ...joins(8, "cleo"), epoch: "two" };
    const { request, state } = after(...following, hears(other));
    assert.deepEqual([state, request.number], ["asking", 2]);
  });

  it("is replaced after a reconnect, even by one of a lower version", () => {
    const dropped = after(...following, { type: "dropped", trueAt: 50 });
    assert.deepEqual([dropped.state, dropped.trueAt, namesIn(dropped)], ["waiting", 50, [
      "ada",
      "ben",
    ]]);
    const back = [subscribed, lists(2, 1, "ada")].reduce(reduceOnline, dropped);
    assert.deepEqual([back.state, namesIn(back)], ["following", ["ada"]]);
  });

  it("is as old as the first loss, however often the connection is lost again", () => {
    const lost = after(...following, { type: "dropped", trueAt: 50 }, { ...subscribed, at: 60 });
    assert.equal(lost.trueAt, 50);
    assert.equal(reduceOnline(lost, { type: "dropped", trueAt: 70 }).trueAt, 50);
  });

  it("has how many tabs a person opened or closed since", () => {
    const change: Change = { type: "changed", id: "ben", connections: 3, lastSeenAt: 40 };
    const online = after(
      ...following,
      hears({ epoch: "one", version: 8, changes: [change] }),
    );
    const ben = online.people?.byId.get("ben");
    assert.deepEqual([ben?.name, ben?.connections, ben?.lastSeenAt], ["ben", 3, 40]);
  });

  it("ignores responses to earlier requests, and changes while disconnected", () => {
    const dropped = after(subscribed, { type: "dropped", trueAt: 2 });
    for (const event of [lists(1, 7, "old"), fails(1), hears(joins(1, "old"))]) {
      assert.equal(reduceOnline(dropped, event), dropped);
    }
    const again = reduceOnline(dropped, subscribed);
    assert.equal(reduceOnline(again, lists(1, 7, "old")), again);
  });

  it("has a problem when the request fails, and is requested with longer and longer waits", () => {
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

  it("waits before a repeated request, unless the last one was long ago", () => {
    const soon = after(...following, hears(joins(9, "x")));
    assert.equal(soon.request.repetition, 1);
    const late: OnlineEvent = { type: "changed", changes: [joins(9, "x")], at: 70_000 };
    assert.equal(after(...following, late).request.repetition, 0);
  });

  it("is kept when a further one is refused, and not requested again", () => {
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

  it("keeps a bounded number of changes until it arrives", () => {
    const many = Array.from({ length: 3_000 }, (_, version) => joins(version, "x"));
    assert.equal(after(subscribed, ...many.map((one) => hears(one))).buffered.length, 1_000);
  });
});

describe("the list of an admin's page with too many users for one", () => {
  const summary = (users: number, isLarge = true): OnlineEvent => ({
    type: "summary",
    summary: { users, connections: users, isLarge, at: 9, joined: 0, left: 0, activity: [] },
    at: 20,
  });
  const large = (request: number, users: number): OnlineEvent => ({
    type: "listed",
    request,
    at: 10,
    list: { ...listOf(0, [], 1_000), users, connections: users, isLarge: true },
  });

  it("is their number, which follows the summaries", () => {
    const first = after(subscribed, large(1, 6_000));
    assert.deepEqual([first.state, first.people, first.summary?.users], ["following", null, 6_000]);
    const next = reduceOnline(first, summary(6_001));
    assert.deepEqual([next.state, next.summary?.users], ["following", 6_001]);
  });

  it("takes the place of a list with the first summary, which the page has until then", () => {
    const asks = after(subscribed, lists(1, 7, "ada"), summary(6_000));
    assert.deepEqual([asks.state, asks.request.repetition], ["asking", 0]);
    assert.deepEqual(namesIn(asks), ["ada"]);
    const counted = reduceOnline(asks, large(2, 6_000));
    assert.deepEqual([counted.people, counted.summary?.users], [null, 6_000]);
  });

  it("is a list again after the last summary, or a change", () => {
    for (const event of [summary(3_000, false), hears(joins(8, "cy"))]) {
      const asks = after(subscribed, large(1, 6_000), event);
      assert.deepEqual([asks.state, asks.request.number], ["asking", 2]);
      const listed = reduceOnline(asks, lists(2, 9, "ada"));
      assert.deepEqual([listed.summary, namesIn(listed)], [null, ["ada"]]);
    }
  });

  it("is not continued from before, though the page missed that there were too many meanwhile", () => {
    assert.equal(after(subscribed, lists(1, 7, "ada"), summary(3_000, false)).state, "asking");
  });

  it("does not follow what comes while the page is not connected", () => {
    const lost = after(subscribed, large(1, 6_000), { type: "dropped", trueAt: 11 });
    assert.equal(reduceOnline(lost, summary(7)), lost);
  });
});

/** A server that people come to and leave, a network that loses and delays, and a page. */
class PageSimulation {
  readonly people = new Map<string, Person>();
  version = 0;
  online: Online = initialOnline;
  #now = 0;
  #isConnected = false;
  #onTheWay: OnlineChanged[] = [];
  /** Answers are of the moment at which the server wrote them, not of that at which they arrive. */
  #answer: OnlineEvent | undefined;

  #happen(event: OnlineEvent): void {
    const { number } = this.online.request;
    this.online = reduceOnline(this.online, event);
    const { request } = this.online;
    if (request.number > number) this.#answer = undefined;
  }

  toggle(id: string): void {
    const left: Change = { type: "left", id };
    const person = personCalled(id, { since: this.version });
    const change: Change = this.people.delete(id) ? left : { type: "joined", person };
    if (change.type === "joined") this.people.set(id, person);
    this.version++;
    const event = { epoch: "one", version: this.version, changes: [change] };
    if (this.#isConnected) this.#onTheWay.push(event);
  }

  deliver(): void {
    const changes = this.#onTheWay.splice(0);
    if (changes.length > 0) this.#happen({ type: "changed", changes, at: ++this.#now });
  }

  lose(): void {
    this.#onTheWay.shift();
  }

  connect(): void {
    this.drop();
    this.#isConnected = true;
    this.#happen({ type: "subscribed", at: ++this.#now });
  }

  drop(): void {
    this.#isConnected = false;
    this.#onTheWay = [];
    this.#happen({ type: "dropped", trueAt: this.#now });
  }

  restart(): void {
    this.drop();
    this.version = 0;
    this.people.clear();
  }

  write(): void {
    if (this.online.state !== "asking") return;
    const { number } = this.online.request;
    const list = listOf(this.version, [...this.people.values()]);
    this.#answer = { type: "listed", request: number, list, at: ++this.#now };
  }

  fail(): void {
    const { number } = this.online.request;
    this.#happen({ type: "failed", request: number, problem: "No.", at: ++this.#now });
  }

  arrive(): void {
    if (this.#answer) this.#happen(this.#answer);
  }
}

const ids = fc.constantFrom("a", "b", "c", "d");
const acts = fc.constantFrom("deliver", "lose", "write", "arrive", "fail");
const breaks = fc.constantFrom("drop", "restart");
const step = fc.oneof(
  { weight: 10, arbitrary: ids.map((id) => (simulation: PageSimulation) => simulation.toggle(id)) },
  {
    weight: 15,
    arbitrary: acts.map((name) => (simulation: PageSimulation) => simulation[name as "lose"]()),
  },
  { weight: 4, arbitrary: fc.constant((simulation: PageSimulation) => simulation.connect()) },
  {
    weight: 1,
    arbitrary: breaks.map((name) => (simulation: PageSimulation) => simulation[name as "drop"]()),
  },
);

describe("a page that follows who is online", () => {
  it("has the right people after any loss, delay and restart", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const simulation = new PageSimulation();
        for (const act of steps) act(simulation);
        // What was lost before is noticed with the next change at the latest.
        simulation.toggle("z");
        simulation.deliver();
        if (simulation.online.state === "waiting") simulation.connect();
        for (let asked = 0; asked < 3 && simulation.online.state === "asking"; asked++) {
          simulation.write();
          simulation.arrive();
        }
        assert.equal(simulation.online.state, "following");
        assert.deepEqual(new Map(simulation.online.people?.byId), simulation.people);
      }),
      { numRuns: 2_000 },
    );
  });
});
