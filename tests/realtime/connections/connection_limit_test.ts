import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Connection } from "@/realtime/connections/connection.ts";
import {
  AddressQuota,
  type AppAdmissionOptions,
  ConnectionLimit,
} from "@/realtime/connections/connection_limits.ts";
import { partOf } from "../../fixtures/doubles.ts";

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
