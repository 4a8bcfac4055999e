import { Load } from "./load.ts";
import { comparison, measurement } from "./measurement.ts";
import { ServerProcess } from "./server_process.ts";
import { median } from "./report.ts";

/** Members that are told of each join and leave. */
const full = 10;

/**
 * The cost of joins of quiet members that come as fast as clients can, beside a loop that sends the same
 * frames: two to the newcomer, one to each full member, and the number to all once a second.
 */
export const quietStorms = [1_000, 4_000, 16_000].map((members) =>
  measurement({
    name: `quiet join storm, ${members.toLocaleString("en")} members`,
    // The clients of one server leave no descriptors for the other's.
    turns: members > 4_000 ? 1 : 4,
    openFiles: members + 200,
    figures: { cpu: { name: "CPU of a join", unit: "µs", aim: 1.3 } },
    async prepare(server, load) {
      await load.connect(full + members);
      let turn = 0;
      // Warms the server up.
      await quietStorm(server, load, turn++, 1_000);
      return async () => ({ cpu: await quietStorm(server, load, turn++, members) });
    },
  })
);

const clients = 4_000;

/**
 * The same beside joins of a public channel, which send one frame, need no signature and are told to no
 * one; in parentheses, what each figure is beside. The cost of the frames to the full members is what
 * Rollcall, and the bare loop beside it, take more with full members than without. Frames are system
 * calls, so the ratio of joins without full members shows what is Rollcall's own.
 */
export const quietBesidePublic = comparison({
  name: "quiet join storm, 4,000 members, beside a public channel",
  openFiles: 2 * clients + 200,
  figures: {
    join: { name: "CPU of a join, 10 full (public)", unit: "µs" },
    frames: { name: "CPU of its frames to the full (bare loop)", unit: "µs" },
    alone: { name: "CPU of a join, none full (public)", unit: "µs", aim: 1.3 },
    client: {
      name: "CPU of a client that connects and joins, 10 full (public)",
      unit: "µs",
      aim: 1.3,
    },
  },
  async compare(server, load) {
    await using bare = await ServerProcess.start("bare");
    using bareLoad = new Load(bare.port);
    await bareLoad.connect(full + clients);
    const start = await server.cpu();
    await load.connect(full + clients);
    const connecting = (await server.cpu() - start) / clients;
    const publicStorm = (turn: number) => cpuOf(server, () => load.joinPublic(turn, full));
    await publicStorm(0);
    await quietStorm(server, load, 0, clients);
    const [open, all, alone, bareAll, bareAlone]: number[][] = [[], [], [], [], []];
    for (let turn = 1; turn < 9; turn += 2) {
      open.push(await publicStorm(turn) / clients);
      all.push(await quietStorm(server, load, turn, clients));
      bareAll.push(await quietStorm(bare, bareLoad, turn, clients));
      alone.push(await quietStorm(server, load, turn + 1, clients, 0));
      bareAlone.push(await quietStorm(bare, bareLoad, turn + 1, clients, 0));
    }
    const [join, beside] = [median(all), median(open)];
    return {
      beside: {
        join: beside,
        frames: median(bareAll) - median(bareAlone),
        alone: beside,
        client: connecting + beside,
      },
      measured: {
        join,
        frames: join - median(alone),
        alone: median(alone),
        client: connecting + join,
      },
    };
  },
});

const most = 16_000;

/**
 * Joins of one large room beside joins of the same clients to 16 small ones, so that connections, memory
 * and seconds are the same and only the size of the room differs; and of public channels likewise.
 */
export const quietFlatness = comparison({
  name: "16,000 clients join one room, beside 16 rooms",
  openFiles: most + 200,
  figures: {
    quiet: { name: "CPU of a join, quiet, 10 full", unit: "µs", aim: 1.2 },
    open: { name: "CPU of a join, public channel", unit: "µs" },
  },
  async compare(server, load) {
    await load.connect(full + most);
    let turn = 0;
    const quietly = async (rooms: number) => {
      for (let room = 0; room < rooms; room++) {
        await load.joinQuietly(turn + room, { full, members: full });
      }
      await load.quiet();
      const join = () => load.joinQuietly(turn, { full, members: most, from: full, rooms });
      const cpu = await cpuOf(server, join) / most;
      turn += rooms;
      return cpu;
    };
    const publicly = async (rooms: number) => {
      const cpu = await cpuOf(server, () => load.joinPublic(turn, full, rooms)) / most;
      turn += rooms;
      return cpu;
    };
    // Warms the server up.
    await quietly(1);
    const [one, many] = [{ quiet: [], open: [] }, { quiet: [], open: [] }] as Joins[];
    for (const rooms of [16, 1, 1, 16]) {
      const { quiet, open } = rooms === 1 ? one : many;
      quiet.push(await quietly(rooms));
      open.push(await publicly(rooms));
    }
    const medians = ({ quiet, open }: Joins) => ({ quiet: median(quiet), open: median(open) });
    return { beside: medians(many), measured: medians(one) };
  },
});

/** The CPU of a join in each storm. */
interface Joins {
  quiet: number[];
  open: number[];
}

async function quietStorm(
  server: ServerProcess,
  load: Load,
  turn: number,
  members: number,
  fullMembers = full,
): Promise<number> {
  await server.forget();
  await load.joinQuietly(turn, { full, members: fullMembers });
  await load.quiet();
  const join = () => load.joinQuietly(turn, { full, members, from: full });
  return await cpuOf(server, join) / members;
}

/** The CPU time until all that is sent for it has come, in microseconds. */
async function cpuOf(server: ServerProcess, act: () => Promise<void>): Promise<number> {
  const before = await server.cpu();
  await act();
  // The number is sent up to a second after the last change.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  return await server.cpu() - before;
}

const some = 4_000;

/** The memory of a quiet member beside a subscriber of a public channel, in one process. */
export const quietMemory = comparison({
  name: "memory, quiet members",
  openFiles: 4 * some + 200,
  figures: { connection: { name: "memory of a connection", unit: "KB", aim: 1.15 } },
  async compare(server, load) {
    let connected = 0;
    const memoryOf = async (join: (from: number) => Promise<void>) => {
      const before = await server.memory();
      await load.connect(connected + some);
      await join(connected);
      connected += some;
      await load.quiet();
      return (await server.memory() - before) / some / 1_000;
    };
    const publicly = () => memoryOf((from) => load.joinPublic(0, from));
    const quietly = () => memoryOf((from) => load.joinQuietly(0, { full: 0, members: some, from }));
    const [first, second, third, fourth] = [
      await publicly(),
      await quietly(),
      await quietly(),
      await publicly(),
    ];
    return {
      beside: { connection: (first + fourth) / 2 },
      measured: { connection: (second + third) / 2 },
    };
  },
});

const seconds = 10;
const perSecond = 200;

/** What a large room costs whose members come and go, beside a loop that sends the same frames. */
export const quietChanges = measurement({
  name: "16,000 quiet members, 200 joins and 200 leaves a second",
  turns: 1,
  openFiles: 16_200,
  figures: { cpu: { name: "CPU of a second", unit: "ms" } },
  async prepare(server, load) {
    const members = 15_900;
    await load.connect(full + members + perSecond);
    await load.joinQuietly(0, { full, members: full });
    await load.joinQuietly(0, { full, members, from: full });
    await load.quiet();
    return async () => {
      const before = await server.cpu();
      await load.comeAndGo(0, { from: full + members, clients: perSecond, seconds });
      return { cpu: (await server.cpu() - before) / 1_000 / seconds };
    };
  },
});
