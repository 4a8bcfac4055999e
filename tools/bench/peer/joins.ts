import { wait } from "@/tests/chaos/time.ts";
import type { Options } from "./options.ts";
import type { PeerServer } from "./peer_server.ts";
import { type Row, rowsOf, spreadOf, unmeasured } from "./report.ts";
import type { Subscriber } from "./subscriber.ts";

/** How many members are timed, of a larger room. */
const witnesses = 10;

/** How many of the others join before these read rarely. */
const atOnce = 50;

/** How long it may take until the members know all others, in milliseconds. */
const fillTimeoutMs = 60_000;

/** How long it takes until the members of a room see who joins, by the size of the room. */
export async function measureJoins(server: PeerServer, options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of options.sizes) {
    const name = `join to seen, ${size.toLocaleString("en")} members`;
    console.error(`${name} …`);
    rows.push(
      ...await measureRoom(server, size, options, name)
        .catch((error: unknown) => [unmeasured(name, error)]),
    );
  }
  return rows;
}

async function measureRoom(
  server: PeerServer,
  size: number,
  { joins, seen: seenWithin }: Options,
  name: string,
): Promise<Row[]> {
  const channel = server.channel(`room-${size}`);
  const ids = Array.from({ length: size }, (_, index) => `member-${index}`);
  const watching = await server.joinAll(channel, ids.splice(0, witnesses));
  const others: Subscriber[] = [];
  try {
    while (ids.length > 0) {
      const some = await server.joinAll(channel, ids.splice(0, atOnce));
      others.push(...some);
      for (const member of some) member.idle();
    }
    await allKnow(watching, size);
    const times = { seen: [] as number[], own: [] as number[] };
    for (let join = 0; join < joins; join++) {
      const newcomer = await server.connect(`newcomer-${join}`);
      await newcomer.join(channel);
      times.own.push(performance.now() - newcomer.askedAt);
      const seen = watching.map((member) =>
        member.told("added", newcomer.user, seenWithin * 1_000)
      );
      for (const at of await Promise.all(seen)) {
        if (at !== undefined) times.seen.push(at - newcomer.askedAt);
      }
      await server.leave(newcomer);
    }
    const notSeen = joins * watching.length - times.seen.length;
    return [
      ...spreadOf(name, times.seen, "no member was told of a join in time (--seen)"),
      ...rowsOf(name, `of ${joins * watching.length}`, { "not seen": notSeen }),
      ...spreadOf(`${name}: own list`, times.own).slice(0, 1),
    ];
  } finally {
    await Promise.all([...watching, ...others].map((member) => server.leave(member)));
  }
}

/** @throws {Error} when members do not come to know all */
async function allKnow(members: Subscriber[], size: number): Promise<void> {
  const end = performance.now() + fillTimeoutMs;
  while (members.some((member) => member.members.size < size)) {
    if (performance.now() > end) throw new Error(`Members were not told of all ${size} in time`);
    await wait(20);
  }
}
