import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Connection } from "@/realtime/connections/connection.ts";
import {
  AddressQuota,
  type AppAdmissionOptions,
  ConnectionLimit,
} from "@/realtime/connections/connection_limits.ts";
import { AppAdmission } from "@/realtime/app_connections.ts";
import { type Close, closes } from "@/realtime/protocol/close_codes.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { ManualClock } from "../manual_clock.ts";

/** A server that states its connections to others, which have one. */
class ConnectionLimitSimulation {
  readonly open: (Connection & { isOpen: boolean })[] = [];
  readonly refused: string[] = [];
  /** What a statement, or a question to the others, waits for. */
  statement = Promise.resolve();
  question = Promise.resolve();
  readonly limit: ConnectionLimit;

  constructor(max: number) {
    const options: AppAdmissionOptions = partOf({
      settings: () => partOf({ maxConnections: max }),
      count: () => this.open.length,
      broker: partOf({
        connections: async (count) => {
          await this.statement;
          return count + 1;
        },
      }),
      remote: async () => {
        await this.question;
        return 1;
      },
    });
    this.limit = new ConnectionLimit(options, (connection) => {
      this.refused.push(connection.id);
      this.close(connection.id);
    });
  }

  connect(id: string): void {
    const connection = { id, isOpen: true } as Connection & { isOpen: boolean };
    this.open.push(connection);
    this.limit.opened(connection);
  }

  close(id: string): void {
    const index = this.open.findIndex((connection) => connection.id === id);
    const [connection] = this.open.splice(index, 1);
    connection.isOpen = false;
    this.limit.released(connection);
  }

  /** Lets everything happen that waits for nothing. */
  async settle(): Promise<void> {
    for (let ticks = 0; ticks < 50; ticks++) await undefined;
  }
}

describe("An app's limit of connections over several servers", () => {
  it("refuses the newest that are open, and none that has closed in its place", async () => {
    const server = new ConnectionLimitSimulation(1);
    const stated = Promise.withResolvers<void>();
    server.statement = stated.promise;
    server.connect("a");
    await server.settle();
    server.connect("b");
    server.close("b");
    stated.resolve();
    await server.settle();
    assert.deepEqual(server.refused, ["a"]);
  });

  it("refuses none while one that has closed meanwhile leaves room", async () => {
    const server = new ConnectionLimitSimulation(2);
    server.connect("a");
    await server.settle();
    const asked = Promise.withResolvers<void>();
    server.question = asked.promise;
    server.connect("b");
    await server.settle();
    server.close("a");
    asked.resolve();
    await server.settle();
    assert.deepEqual(server.refused, []);
    server.connect("c");
    await server.settle();
    assert.deepEqual(server.refused, ["c"]);
  });
});

describe("The quota of addresses", () => {
  it("is full for an address at its limit, and for all at the limit of all", () => {
    const quota = new AddressQuota({ max: 3, maxPerAddress: 2 });
    for (const address of ["a", "a"]) quota.add(address);
    assert.deepEqual([quota.isFullFor("a"), quota.isFullFor("b"), quota.isFull], [
      true,
      false,
      false,
    ]);
    quota.add("b");
    assert.deepEqual([quota.isFullFor("c"), quota.isFull, quota.addresses], [true, true, 2]);
    for (const address of ["a", "a", "b"]) quota.delete(address);
    assert.deepEqual([quota.isFullFor("a"), quota.size, quota.addresses], [false, 0, 0]);
  });

  it("has no limit for an address that is not known, or when the limit is 0", () => {
    const [quota, unlimited] = [1, 0].map((maxPerAddress) =>
      new AddressQuota({ max: 10, maxPerAddress })
    );
    for (let count = 0; count < 5; count++) {
      quota.add(undefined);
      unlimited.add("a");
    }
    assert.deepEqual([quota.isFullFor(undefined), unlimited.isFullFor("a")], [false, false]);
  });
});

/** The rules of an app on one server, with as many open connections as `open` says. */
function appWith(rules: { enabled?: boolean; joinTimeoutMs?: number; maxConnections?: number }) {
  const clock = new ManualClock();
  const app = { enabled: true, joinTimeoutMs: 0, maxConnections: 0, ...rules, open: 0 };
  const admission = new AppAdmission({
    settings: () => app,
    count: () => app.open,
    broker: { isShared: false, connections: () => Promise.resolve(undefined) },
    remote: () => Promise.resolve(0),
    clock,
  });
  const closed: string[] = [];
  const connection = (name: string) =>
    ({ fail: ({ code }: Close) => void closed.push(`${name} ${code}`) }) as Connection;
  return { app, clock, closed, connection, admission };
}

describe("The admission of connections to an app", () => {
  it("refuses further connections when there are as many as may be, until one is gone", () => {
    const { app, admission } = appWith({ maxConnections: 2 });
    const full = { close: closes.appFull(2), limit: "connectionsOfApp" };
    for (const [open, refusal] of [[1, undefined], [2, full], [1, undefined]] as const) {
      app.open = open;
      assert.deepEqual(admission.refusal(), refusal);
    }
    Object.assign(app, { open: 1_000_000, maxConnections: 0 });
    assert.equal(admission.refusal(), undefined);
  });

  it("refuses every connection while the app is disabled", () => {
    const { app, admission } = appWith({ enabled: false });
    assert.deepEqual(admission.refusal(), { close: closes.appDisabled });
    app.enabled = true;
    assert.equal(admission.refusal(), undefined);
  });

  it("closes connections that do not authorize in time, and no others", () => {
    const { clock, closed, connection, admission } = appWith({ joinTimeoutMs: 1_000 });
    const [ann, bob, cid] = ["ann", "bob", "cid"].map(connection);
    for (const each of [ann, bob, cid]) admission.opened(each);
    admission.authorized(bob);
    admission.released(cid);
    clock.advance(999);
    assert.deepEqual([closed, admission.unauthorized], [[], 1]);
    clock.advance(1);
    assert.deepEqual(closed, ["ann 4009"]);
    admission.opened(connection("dan"));
    admission.stop();
    assert.equal(clock.timers, 0);
  });

  it("gives each connection the time of the settings", () => {
    const { app, clock, closed, connection, admission } = appWith({});
    admission.opened(connection("ann"));
    assert.deepEqual([admission.unauthorized, clock.timers], [0, 0]);
    app.joinTimeoutMs = 500;
    admission.configured();
    admission.opened(connection("bob"));
    clock.advance(500);
    assert.deepEqual(closed, ["bob 4009"]);
  });
});
