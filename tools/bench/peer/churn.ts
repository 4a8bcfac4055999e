import { wait } from "@/tests/chaos/time.ts";
import type { Options } from "./options.ts";
import type { PeerServer } from "./peer_server.ts";
import { durationOf, reasonOf, type Row, rowsOf } from "./report.ts";
import type { Subscriber } from "./subscriber.ts";
import { type Difference, type Faults, Truth } from "./truth.ts";

/** How long each user stays, in milliseconds. */
const stayMs = 1_000;

/**
 * One of ten users stays to the end, so that the lists that are compared then have users, but of many no
 * more than this number: each change is told to all.
 */
const mostStay = 20;

/** How often the count is compared, in milliseconds. */
const sampleMs = 100;

/** How many subscribers are there all the time. */
const watching = 3;

const isOwn = (user: string) => /^(watching|fresh)-/.test(user);

/** How far counts were from the truth, as differences. */
type Samples = number[];

/** Users come and go all the time: what long-lived subscribers, new ones and the HTTP API know of it. */
export async function measureChurn(server: PeerServer, options: Options): Promise<Row[]> {
  const { rate, seconds } = options;
  const [name, counted] = ["churn", "count"].map((word) => `${word}, ${rate} a second come and go`);
  console.error(`${name}, for ${seconds} s …`);
  const channel = server.channel("churn");
  const churn = new Churn(server, channel);
  const ids = Array.from({ length: watching }, (_, index) => `watching-${index}`);
  const subscribers = await server.joinAll(channel, ids);
  const ending = new AbortController();
  const counting = churn.count(subscribers[0], ending.signal);
  const calling = churn.countByApi(ending.signal).catch(reasonOf);
  const reached = await churn.run(rate, seconds);
  ending.abort();
  const [counts, called] = [await counting, await calling];
  const lists = await churn.settle(subscribers, options.patience);
  const worst = worstOf(subscribers.map(({ changes }) => churn.truth.faults(changes, isOwn)));
  const exactness = `list after ${name}`;
  return [
    ...rowsOf(name, "/s", { "joins, reached": reached }),
    ...rowsOf(name, "", { "joins refused": churn.refusals })
      .map((row) => ({ ...row, reason: churn.refusal })),
    ...rowsOf(name, "", {
      "false joins, long-lived subscriber": worst.falseJoins,
      "false leaves, long-lived subscriber": worst.falseLeaves,
      "joins missed, long-lived subscriber": worst.missedJoins,
      "disconnected, long-lived subscriber": subscribers.filter(({ hasEnded }) => hasEnded).length,
      "disconnected, users who stay": churn.disconnected,
    }),
    ...countRows(counted, "long-lived subscriber", counts),
    ...countRows(counted, "HTTP API", called),
    ...lists.flatMap(({ list, difference, error }) =>
      rowsOf(exactness, "users", {
        [`missing, ${list}`]: difference?.missing,
        [`too many, ${list}`]: difference?.tooMany,
      }, error)
    ),
    ...durationOf(exactness, "time until all are right", churn.settledAfter, options.patience),
  ];
}

/** A list, and how it differs from the truth; or why there is none. */
interface Compared {
  list: string;
  difference?: Difference;
  error?: string;
}

/** Users who come and go at a rate, each once. */
class Churn {
  readonly truth = new Truth();
  readonly #server: PeerServer;
  readonly #channel: string;
  readonly #staying: Subscriber[] = [];
  refusals = 0;
  /** The reason of the first one. */
  refusal: string | undefined;
  /** In how many seconds all lists were right. */
  settledAfter: number | undefined;

  constructor(server: PeerServer, channel: string) {
    this.#server = server;
    this.#channel = channel;
  }

  /** How many of those who stay the server has disconnected, which makes their leaves true. */
  get disconnected(): number {
    return this.#staying.filter(({ hasEnded }) => hasEnded).length;
  }

  /** @returns how many came in a second: fewer than asked for where the machine cannot do more */
  async run(rate: number, seconds: number): Promise<number> {
    const start = performance.now();
    const users = Math.ceil(rate * seconds);
    const oneStaysOf = Math.max(10, Math.ceil(users / mostStay));
    const lives = new Set<Promise<void>>();
    for (let user = 0; user < users; user++) {
      const early = start + user * 1_000 / rate - performance.now();
      if (early > 0) await wait(early);
      // With so many on their way, the machine is behind, and more would not help.
      else if (lives.size > 2 * rate * (1 + stayMs / 1_000)) await Promise.race(lives);
      const life = this.#live(`user-${user}`, user % oneStaysOf === 0);
      lives.add(life);
      void life.then(() => lives.delete(life));
    }
    const took = (performance.now() - start) / 1_000;
    await Promise.all(lives);
    return users / took;
  }

  async #live(user: string, stays: boolean): Promise<void> {
    this.truth.came(user);
    let subscriber: Subscriber;
    try {
      subscriber = await this.#server.join(this.#channel, user);
    } catch (error) {
      this.truth.refused(user);
      this.refusals++;
      this.refusal ??= reasonOf(error);
      return;
    }
    this.truth.joined(user);
    subscriber.idle();
    if (stays) return void this.#staying.push(subscriber);
    await wait(stayMs);
    this.truth.goes(user);
    await this.#server.leave(subscriber);
  }

  /** Compares the count of a subscriber's list, as a page shows it. */
  async count({ members }: Subscriber, signal: AbortSignal): Promise<Samples> {
    const samples: Samples = [];
    while (!signal.aborted) {
      await wait(sampleMs);
      samples.push(members.size - watching - this.truth.count);
    }
    return samples;
  }

  /** Compares the count of the HTTP API with the truth from before the call to after it. */
  async countByApi(signal: AbortSignal): Promise<Samples> {
    const samples: Samples = [];
    while (!signal.aborted) {
      const before = this.truth.count;
      const count = await this.#server.userCount(this.#channel) - watching;
      const [low, high] = [before, this.truth.count].toSorted((one, other) => one - other);
      samples.push(count - Math.min(Math.max(count, low), high));
      await wait(sampleMs);
    }
    return samples;
  }

  /** Compares all lists until they are right or the time is over. */
  async settle(subscribers: Subscriber[], seconds: number): Promise<Compared[]> {
    const start = performance.now();
    while (true) {
      const lists = await this.#compare(subscribers);
      const elapsed = (performance.now() - start) / 1_000;
      const known = lists.flatMap(({ difference }) => difference ?? []);
      if (known.every(({ missing, tooMany }) => missing + tooMany === 0)) {
        this.settledAfter = elapsed;
        return lists;
      }
      if (elapsed > seconds) return lists;
      await wait(sampleMs);
    }
  }

  async #compare(subscribers: Subscriber[]): Promise<Compared[]> {
    const differenceOf = (list: Set<string>) => this.truth.difference(list, isOwn);
    const readers = {
      "new subscriber": () => this.#server.freshList(this.#channel),
      "HTTP API": () => this.#server.userList(this.#channel),
    };
    const worst = subscribers.map(({ members }) => differenceOf(members));
    const compared: Compared[] = [{ list: "long-lived subscriber", difference: worstOf(worst) }];
    for (const [list, read] of Object.entries(readers)) {
      try {
        compared.push({ list, difference: differenceOf(await read()) });
      } catch (error) {
        compared.push({ list, error: reasonOf(error) });
      }
    }
    return compared;
  }
}

/** The greatest of each number. */
function worstOf<Numbers extends Faults | Difference>(all: Numbers[]): Numbers {
  const names = Object.keys(all[0]) as (keyof Numbers)[];
  const most = (name: keyof Numbers) => Math.max(...all.map((one) => Number(one[name])));
  // It has all names of `Numbers`, which the type of `fromEntries` does not keep.
  return Object.fromEntries(names.map((name) => [name, most(name)])) as unknown as Numbers;
}

/** @param samples a text where there are none: the reason */
function countRows(name: string, of: string, samples: Samples | string): Row[] {
  const [differences, reason] = typeof samples === "string" ? [[], samples] : [samples, undefined];
  const most = (numbers: number[]) => numbers.length > 0 ? Math.max(0, ...numbers) : undefined;
  return rowsOf(name, "users", {
    [`above, at most, ${of}`]: most(differences),
    [`below, at most, ${of}`]: most(differences.map((each) => -each)),
  }, reason);
}
