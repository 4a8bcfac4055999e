import { wait } from "@/tests/chaos/time.ts";
import type { Options } from "./options.ts";
import type { PeerServer } from "./peer_server.ts";
import { durationOf, type Row, rowsOf } from "./report.ts";
import type { Subscriber } from "./subscriber.ts";

/** How many users are in the channel, and how many of them do not come back. */
const users = 50;
const absent = 5;

/** How long a client waits before it connects again, in milliseconds, as pusher-js does at first. */
const againMs = 1_000;

/** How often the list is read, in milliseconds. */
const readMs = 500;

/**
 * What is lost when the server is restarted by hand: users come back by themselves, as with pusher-js,
 * but for some who went meanwhile.
 *
 * @param askForRestart resolves when the server has been restarted.
 */
export async function measureRestart(
  server: PeerServer,
  options: Options,
  askForRestart: () => Promise<void>,
): Promise<Row[]> {
  const name = "restart";
  const channel = server.channel("restart");
  const ids = Array.from({ length: users }, (_, index) => `user-${index}`);
  const members = await server.joinAll(channel, ids);
  const returning = new Set(ids.slice(absent));
  const ending = new AbortController();
  const lives = members.map((member) =>
    returning.has(member.user)
      ? comeBack(server, channel, member, ending.signal)
      : Promise.resolve(member)
  );
  await askForRestart();
  for (const member of members.slice(0, absent)) server.drop(member);
  const end = performance.now() + options.patience * 1_000;
  const start = performance.now();
  let list: Set<string> | undefined;
  let rightAfter: number | undefined;
  while (rightAfter === undefined && performance.now() < end) {
    await wait(readMs);
    list = await server.freshList(channel).catch(() => undefined) ?? list;
    const known = [...list ?? []].filter((user) => user.startsWith("user-"));
    const isRight = known.length === returning.size && known.every((user) => returning.has(user));
    if (isRight) rightAfter = (performance.now() - start) / 1_000;
  }
  ending.abort();
  await Promise.all(lives);
  const kept = members.slice(absent).filter(({ hasEnded }) => !hasEnded).length;
  const missing = list && [...returning].filter((user) => !list.has(user)).length;
  const ghosts = list && ids.slice(0, absent).filter((user) => list.has(user)).length;
  return [
    ...rowsOf(name, `of ${returning.size}`, { "connections kept": kept }),
    ...durationOf(name, "time until the list is right", rightAfter, options.patience),
    ...rowsOf(name, `of ${returning.size}`, { "users missing at the end": missing }, noList),
    ...rowsOf(name, `of ${absent}`, { "users too many at the end": ghosts }, noList),
  ];
}

const noList = "the server let no one in after the restart";

/** Connects again whenever the connection has ended. */
async function comeBack(
  server: PeerServer,
  channel: string,
  first: Subscriber,
  signal: AbortSignal,
): Promise<void> {
  let member: Subscriber | undefined = first;
  while (!signal.aborted) {
    await wait(againMs);
    if (member && !member.hasEnded) continue;
    if (member) server.drop(member);
    member = await server.join(channel, first.user).catch(() => undefined);
  }
}
