import { app, publicChannel } from "../bench_app.ts";
import { Crowd } from "../crowd.ts";
import { type Options, readOptions } from "../peer/options.ts";
import { PeerServer } from "../peer/peer_server.ts";
import type { Subscriber } from "../peer/subscriber.ts";
import { percentile } from "../report.ts";
import type { Figures } from "./deliveries.ts";
import { cpuOf, type MeasuredServer, memoryOf } from "./servers.ts";

/** The rooms, by members. Above {@link mostFull}, all but the timed members are quiet. */
const sizes = [10, 100, 1_000, 10_000] as const;

const mostFull = 1_000;

/** Members who are timed, and joins that are. */
const [timed, joins] = [5, 40];

/** How long is waited for what members are told, in milliseconds. */
const timeoutMs = 60_000;

const connections = 10_000;

/** How long after the last subscription memory is read, in milliseconds. */
const settleMs = 3_000;

/** How fast rooms fill, and how soon members see who joins a full one. */
export async function measureRooms(server: MeasuredServer): Promise<Figures> {
  const figures: Figures = {};
  for (const size of sizes) {
    const name = size.toLocaleString("en");
    const { fillSeconds, seen } = await measureRoom(server, size);
    figures[`joins, until ${name} know each other (/s)`] = size / fillSeconds;
    for (const percent of [50, 99]) {
      figures[`join to seen, ${name} members, p${percent} (ms)`] = percentile(seen, percent);
    }
  }
  return figures;
}

/** A room and those of its members who are timed. */
interface Room {
  server: PeerServer;
  channel: string;
  watching: Subscriber[];
}

async function measureRoom({ port }: MeasuredServer, size: number) {
  using server = new PeerServer(optionsFor(port));
  using crowd = new Crowd();
  const channel = server.channel(`room-${size}`);
  await crowd.connect([port], size - timed);
  const ids = Array.from({ length: timed }, (_, index) => `timed-${index}`);
  const watching = await server.joinAll(channel, ids);
  const fillSeconds = await fill(crowd, { server, channel, watching });
  for (const client of crowd.clients) client.readEvery(1_000);
  return { fillSeconds, seen: await timesSeen({ server, channel, watching }) };
}

function optionsFor(port: number): Options {
  return readOptions([
    ...["--url", `ws://127.0.0.1:${port}`],
    ...["--app", app.id, "--key", app.key, "--secret", app.secret],
  ])!;
}

/**
 * A crowd joins as fast as it can.
 *
 * @returns the seconds until the timed members know all
 * @throws {Error} when they do not come to know all, as where the server closed clients of a machine that is too busy
 */
async function fill(crowd: Crowd, { channel, watching }: Room): Promise<number> {
  const start = performance.now();
  const size = crowd.clients.length + watching.length;
  const isQuiet = size > mostFull;
  await Promise.all(
    crowd.clients.map((client, index) =>
      client.joinPresence(channel, { id: `user-${index}`, isQuiet })
    ),
  );
  while (watching.some(({ members }) => members.size < size)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (performance.now() - start < timeoutMs) continue;
    const known = watching.map(({ members }) => members.size);
    throw new Error(`Of ${size} members, the timed ones know ${known.join(", ")}`);
  }
  return (performance.now() - start) / 1_000;
}

/** Milliseconds from when a newcomer asks to join until a member is told, for each join and member. */
async function timesSeen({ server, channel, watching }: Room): Promise<number[]> {
  const times: number[] = [];
  for (let join = 0; join < joins; join++) {
    const newcomer = await server.connect(`newcomer-${join}`);
    await newcomer.join(channel);
    for (const member of watching) {
      const at = await member.told("added", newcomer.user, timeoutMs);
      // One that is not told counts with the time for which it was awaited.
      times.push(at === undefined ? timeoutMs : at - newcomer.askedAt);
    }
    await server.leave(newcomer);
  }
  return times;
}

/** What many connections cost that subscribe to a public channel. */
export async function measureConnections(server: MeasuredServer): Promise<Figures> {
  using crowd = new Crowd();
  const before = { cpu: await cpuOf(server), memory: await memoryOf(server) };
  await crowd.connect([server.port], connections);
  await crowd.subscribe(publicChannel);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return {
    "CPU of a connection and its subscription (µs)": (await cpuOf(server) - before.cpu) /
      connections,
    "memory of a connection, of 10,000 (KB)": (await memoryOf(server) - before.memory) * 1.024 /
      connections,
  };
}
