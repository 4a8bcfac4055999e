import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import type { Bounds } from "./bounds.ts";
import type { Tab } from "./crowd/tab.ts";
import { Witness } from "./crowd/witness.ts";
import type { Server } from "./installation/server.ts";
import type { Disturbance } from "./truth/records.ts";

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
