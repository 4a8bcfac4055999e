import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Connection } from "@/realtime/connections/connection.ts";
import { ConnectionLimit } from "@/realtime/connections/connection_limits.ts";

/** A server that states its connections to others, which have one. */
class ConnectionLimitSimulation {
  readonly open: (Connection & { isOpen: boolean })[] = [];
  readonly refused: string[] = [];
  /** What a statement, or a question to the others, waits for. */
  statement = Promise.resolve();
  question = Promise.resolve();
  readonly limit: ConnectionLimit;

  constructor(max: number) {
    this.limit = new ConnectionLimit({
      max: () => max,
      count: () => this.open.length,
      state: async (count) => {
        await this.statement;
        return count + 1;
      },
      elsewhere: async () => {
        await this.question;
        return 1;
      },
      refuse: (connection) => {
        this.refused.push(connection.id);
        this.close(connection.id);
      },
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
