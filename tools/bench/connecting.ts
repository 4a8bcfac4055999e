import { measurement } from "./measurement.ts";

const first = 500;
const each = 500;

/** The cost of a new connection and its subscription to a public channel. */
export const connecting = measurement({
  name: `connect and subscribe, ${each} clients`,
  turns: 4,
  figures: {
    cpu: { name: "CPU of a client", unit: "µs" },
    rate: { name: "clients", unit: "/s" },
  },
  async prepare(server, load) {
    await load.connect(first);
    const answerBytes = await load.bytesOf(() => load.subscribe()) / first;
    let there = first;
    return async () => {
      const [before, start] = [await server.cpu(), performance.now()];
      await load.connect(there + each);
      await load.until(each * answerBytes, () => load.subscribe(there));
      there += each;
      const seconds = (performance.now() - start) / 1_000;
      return { cpu: (await server.cpu() - before) / each, rate: each / seconds };
    };
  },
});

const fewConnections = 100;
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
    await load.connect(fewConnections);
    await load.subscribe();
    await load.quiet();
    return async () => {
      const before = await server.memory();
      await load.connect(connections);
      await load.subscribe(fewConnections);
      await load.quiet();
      const after = await server.memory();
      return {
        connection: (after - before) / (connections - fewConnections) / 1_000,
        process: after / 1_000_000,
      };
    };
  },
});
