import type { Load } from "./load.ts";
import { comparison, measurement } from "./measurement.ts";
import type { ServerProcess } from "./server_process.ts";

/** Joins one after another: each newcomer has its list before the next comes. */
const queue = {
  members: 1_000,
  turns: 2,
  async prepare(server: ServerProcess, load: Load) {
    await load.connect(queue.members);
    let turn = 0;
    const bytes = await load.bytesOf(() => load.joinInTurns(turn++));
    return async () => {
      const before = await server.forget();
      await load.until(bytes, () => load.joinInTurns(turn++));
      return { cpu: (await server.cpu() - before) / (queue.members * (queue.members - 1) / 2) };
    };
  },
};

/** The cost of a join to a presence channel: `member_added` to all, the list to the newcomer. */
export const joining = measurement({
  ...queue,
  name: "join, 1,000 members, one after another",
  figures: { cpu: { name: "CPU of a member_added", unit: "µs", aim: 1.15 } },
});

/** The cost of listeners to every change, which {@link joining} does not have. */
export const observers = measurement({
  ...queue,
  name: "observers, 1,000 members",
  servers: { measured: "observed", beside: "rollcall" },
  figures: { cpu: { name: "CPU of a member_added", unit: "µs" } },
});

/**
 * The cost of joins that come as fast as clients can. The bare loop sends every newcomer to all and
 * each a list of earlier members; Rollcall sends lists when their turn comes, with members who came
 * meanwhile.
 */
export const joinStorms = [storm(1_000, 2, 1.15), storm(4_000, 1)];

function storm(members: number, turns: number, aim?: number) {
  return measurement({
    name: `join storm, ${members.toLocaleString("en")} members`,
    turns,
    openFiles: members + 200,
    figures: {
      cpu: { name: "CPU of a join", unit: "µs", aim },
      seconds: { name: "time until all have all", unit: "s" },
      bytes: { name: "bytes sent", unit: "MB" },
      memory: { name: "memory at most", unit: "MB" },
    },
    async prepare(server, load) {
      await load.connect(members);
      let turn = 0;
      return async () => {
        await server.watchMemory();
        const before = await server.forget();
        const start = performance.now();
        const bytes = await load.bytesOf(() => load.joinPresence(turn++));
        return {
          cpu: (await server.cpu() - before) / members,
          seconds: (load.lastReceivedAt - start) / 1_000,
          bytes: bytes / 1e6,
          memory: await server.peakMemory() / 1e6,
        };
      };
    },
  });
}

/** How long the server has no connection before memory has to be back, in milliseconds. */
const idleMs = 120_000;

/** The memory of a server whose clients all leave a room at once, with no leave grace. */
export const leaving = [
  leave("leave at once, 4,000 members", 4_000, () => {}),
  leave("leave at once, 3,000 members who stopped reading", 3_000, (load) => load.stopReading()),
];

function leave(name: string, members: number, before: (load: Load) => void) {
  return comparison({
    name,
    openFiles: members + 200,
    figures: {
      peak: { name: "memory at most, beside before", unit: "MB", aim: 1.3 },
      idle: { name: "memory 2 minutes later, beside before", unit: "MB", aim: 1.3 },
    },
    async compare(server, load) {
      await load.connect(members);
      await load.joinPresence(0);
      await load.quiet();
      before(load);
      const full = await server.watchMemory() / 1e6;
      load.disconnect();
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      const measured = {
        peak: await server.peakMemory() / 1e6,
        idle: await server.memory() / 1e6,
      };
      return { beside: { peak: full, idle: full }, measured };
    },
  });
}

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
