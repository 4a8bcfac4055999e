import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  initialOnline,
  type Online,
  type OnlineEvent,
  reduceOnline,
} from "@/components/live_view/online.ts";
import { listOf, personCalled } from "../../fixtures/online_people.ts";
import type { Change, OnlineChanged, Person } from "@/shared/online.ts";

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
