import { wait } from "@/tests/chaos/time.ts";
import { withTimeout } from "@/tests/fixtures/with_timeout.ts";
import type { Options } from "./options.ts";
import type { PeerServer } from "./peer_server.ts";
import { type Row, rowsOf, spreadOf, unmeasured } from "./report.ts";
import type { Subscriber } from "./subscriber.ts";

/** How many members are timed, of a larger room. */
const witnesses = 10;

/** A join that a member is told of later is counted as not seen, in milliseconds. */
const seenWithinMs = 10_000;

/** How long it takes until the members of a room see who joins, by the size of the room. */
export async function measureJoins(server: PeerServer, options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of options.sizes) {
    const name = `join to seen, ${size.toLocaleString("en")} members`;
    console.error(`${name} …`);
    rows.push(
      ...await measureRoom(server, size, options.joins, name)
        .catch((error: unknown) => [unmeasured(name, error)]),
    );
  }
  return rows;
}

async function measureRoom(
  server: PeerServer,
  size: number,
  joins: number,
  name: string,
): Promise<Row[]> {
  const channel = server.channel(`room-${size}`);
  const ids = Array.from({ length: size }, (_, index) => `member-${index}`);
  const room = new Room(server);
  try {
    const watching = await room.fill(channel, ids.slice(0, witnesses));
    const others = await room.fill(channel, ids.slice(witnesses));
    for (const member of others) member.idle();
    await withTimeout(allKnow(watching, size), `the members knew all ${size}`);
    const times = { seen: [] as number[], own: [] as number[] };
    for (let join = 0; join < joins; join++) {
      const newcomer = await server.connect(`newcomer-${join}`);
      await newcomer.join(channel);
      times.own.push(performance.now() - newcomer.askedAt);
      const seen = watching.map((member) => member.told("added", newcomer.user, seenWithinMs));
      for (const at of await Promise.all(seen)) {
        if (at !== undefined) times.seen.push(at - newcomer.askedAt);
      }
      await server.leave(newcomer);
    }
    const notSeen = joins * watching.length - times.seen.length;
    return [
      ...spreadOf(name, times.seen, "no member was told of a join within 10 s"),
      ...rowsOf(name, `of ${joins * watching.length}`, { "not seen": notSeen }),
      ...spreadOf(`${name}: own list`, times.own).slice(0, 1),
    ];
  } finally {
    await room.empty();
  }
}

/** The members of a room, also those who joined before one was refused. */
class Room {
  readonly #server: PeerServer;
  readonly #members: Subscriber[] = [];

  constructor(server: PeerServer) {
    this.#server = server;
  }

  async fill(channel: string, ids: string[]): Promise<Subscriber[]> {
    const joined = await this.#server.joinAll(channel, ids);
    this.#members.push(...joined);
    return joined;
  }

  async empty(): Promise<void> {
    await Promise.all(this.#members.map((member) => this.#server.leave(member)));
  }
}

async function allKnow(members: Subscriber[], size: number): Promise<void> {
  while (members.some((member) => member.members.size < size)) {
    await wait(20);
  }
}
