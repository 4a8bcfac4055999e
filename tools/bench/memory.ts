import { measurement } from "./measurement.ts";

const first = 100;
const connections = 10_000;

/** The memory of a process with many connections, each subscribed to one channel. */
export const memory = measurement({
  name: "memory, 10,000 connections",
  turns: 1,
  openFiles: connections + 200,
  figures: {
    connection: { name: "memory of a connection", unit: "KB", aim: 1.25 },
    process: { name: "memory of the process", unit: "MB" },
  },
  async prepare(server, load) {
    await load.connect(first);
    await load.subscribe();
    await load.quiet();
    return async () => {
      const before = await server.memory();
      await load.connect(connections);
      await load.subscribe(first);
      await load.quiet();
      const after = await server.memory();
      return {
        connection: (after - before) / (connections - first) / 1_000,
        process: after / 1_000_000,
      };
    };
  },
});
