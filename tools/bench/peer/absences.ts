import { wait } from "@/tests/chaos/time.ts";
import { Cable } from "@/tests/fixtures/cable.ts";
import type { Options } from "./options.ts";
import type { PeerServer } from "./peer_server.ts";
import { durationOf, type Row, rowsOf } from "./report.ts";
import type { Change, Subscriber } from "./subscriber.ts";

/** How many clients are lost in each way. */
const lost = 3;

/** How long a page change takes: from the close to the next connection, in milliseconds. */
const gapsMs = [100, 500, 1_000];

/** How many users change pages with each gap. */
const usersOfGap = 10;

/** A client that is gone, of whom the server is to find out. */
interface Lost {
  user: string;
  /** By `performance.now`. */
  at: number;
}

/**
 * How long members stay in the list after their client is lost: killed, so that the connection ends
 * without a close frame, and cut off, so that nothing comes from it and nothing tells that it is gone.
 */
export async function measureGhosts(server: PeerServer, options: Options): Promise<Row[]> {
  console.error(`lost clients, for at most ${options.patience} s …`);
  const channel = server.channel("ghosts");
  const watching = await server.join(channel, "watching");
  const { address } = server;
  const hostname = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname;
  // The port is not left out of the address of a scheme that has none by default.
  await using cable = await Cable.to(`tcp://${hostname}:${address.port}`);
  const port = Number(new URL(cable.origin).port);
  const join = async (way: string, index: number, through = address) => {
    const subscriber = await server.join(channel, `${way}-${index}`, through);
    await watching.told("added", subscriber.user, options.seen * 1_000);
    return subscriber;
  };
  const [killed, cut]: Subscriber[][] = [[], []];
  for (let index = 0; index < lost; index++) {
    killed.push(await join("killed", index));
    cut.push(await join("cut", index, { ...address, hostname: "127.0.0.1", port }));
  }
  cable.stall();
  const lostAt = (subscribers: Subscriber[]) =>
    subscribers.map(({ user }): Lost => ({ user, at: performance.now() }));
  const gone = { "client killed": lostAt(killed), "client cut off": lostAt(cut) };
  for (const subscriber of killed) server.drop(subscriber);
  const waits = Object.entries(gone).map(([way, clients]) =>
    lifetimes(watching, way, clients, options.patience)
  );
  const rows = (await Promise.all(waits)).flat();
  const list = await server.freshList(channel);
  for (const [way, clients] of Object.entries(gone)) {
    const left = clients.filter(({ user }) => list.has(user)).length;
    rows.push(...rowsOf(way, `of ${lost}`, { "still in the list of a new subscriber": left }));
  }
  return rows;
}

async function lifetimes(
  watching: Subscriber,
  way: string,
  clients: Lost[],
  patience: number,
): Promise<Row[]> {
  const waits = clients.map(async ({ user, at }) => {
    const told = await watching.told("removed", user, patience * 1_000, at);
    return told === undefined ? undefined : (told - at) / 1_000;
  });
  const times = await Promise.all(waits);
  if (watching.hasEnded) {
    return rowsOf(way, "s", { "time in the list, at most": undefined }, "the subscriber was lost");
  }
  const longest = times.reduce<number | undefined>(
    (most, time) => most === undefined || time === undefined ? undefined : Math.max(most, time),
    0,
  );
  return durationOf(way, "time in the list, at most", longest, patience);
}

/**
 * Users who close a page and open the next one: whether others are told of a leave and a join, though
 * the users never went.
 */
export async function measurePages(server: PeerServer, options: Options): Promise<Row[]> {
  console.error("page changes …");
  const channel = server.channel("pages");
  const watching = await server.join(channel, "watching");
  const idsOf = (gap: number) =>
    Array.from({ length: usersOfGap }, (_, index) => `user-${gap}-${index}`);
  const users = await server.joinAll(channel, gapsMs.flatMap(idsOf));
  for (const { user } of users) await watching.told("added", user, options.seen * 1_000);
  const since = watching.changes.length;
  const gapOf = (index: number) => gapsMs[Math.floor(index / usersOfGap)];
  await Promise.all(users.map((page, index) => changePage(server, channel, page, gapOf(index))));
  // What a server does late with the pages that are gone must not hit the new ones.
  await wait(options.settle * 1_000);
  const changes = watching.changes.slice(since);
  return gapsMs.flatMap((gap) => {
    const ids = idsOf(gap);
    const told = (kind: Change["kind"]) =>
      changes.filter((change) => change.kind === kind && ids.includes(change.user)).length;
    return rowsOf(`page change within ${gap.toLocaleString("en")} ms`, `of ${usersOfGap}`, {
      "false leaves": told("removed"),
      "false joins": told("added"),
      "not in the list afterwards": ids.filter((id) => !watching.members.has(id)).length,
    }, "the subscriber was lost");
  });
}

async function changePage(
  server: PeerServer,
  channel: string,
  page: Subscriber,
  gapMs: number,
): Promise<void> {
  const leaving = server.leave(page);
  await wait(gapMs);
  await server.join(channel, page.user);
  await leaving;
}
