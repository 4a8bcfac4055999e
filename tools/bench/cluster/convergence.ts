import { Installation, type Part } from "./installation.ts";
import { Crowd, FrameCounter } from "../crowd.ts";
import { privateChannel } from "../bench_app.ts";
import { clientEvent, type LoadClient } from "../load_client.ts";
import { percentile } from "../report.ts";

/** Users of each of the three servers. */
const users = 200;

const room = "presence-bench";

/** What is promised, in seconds: the users of a lost server are gone by then. */
const promised = 15;

/** How soon the lists of the other servers are without the users of one that was killed. */
export const convergence: Part = {
  name: "convergence",
  comparisons: [{
    name: `SIGKILL of one of three servers, ${users} users of each, beside the promise`,
    figures: {
      first: { name: "until the first of them is gone", unit: "s", aim: 1 },
      last: { name: "until all are gone from all lists", unit: "s", aim: 1 },
    },
  }],
  async round(postgres) {
    const kind = { servers: 3, redis: true };
    await using installation = await Installation.start(kind, postgres);
    const { ports, servers } = installation;
    using crowd = new Crowd();
    const lists: FrameCounter[] = [];
    for (const [index, port] of ports.slice(1).entries()) {
      const list = new FrameCounter("member_removed");
      lists.push(list);
      const client = await crowd.add(port, list);
      await client.joinPresence(room, { id: `watcher-${index}`, isQuiet: false });
    }
    using others = new Crowd();
    await others.connect(ports, users * ports.length);
    await others.join(room, 1_000);
    // Longer than a lease, so that all servers may drop the users of another one.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    const start = performance.now();
    servers[0].kill();
    await Promise.all(lists.map((list) => list.reach(users)));
    const seconds = (at: number) => (at - start) / 1_000;
    const first = seconds(Math.min(...lists.map(({ firstAt }) => firstAt)));
    const last = seconds(Math.max(...lists.map(({ lastAt }) => lastAt)));
    return [[{ beside: { first: promised, last: promised }, measured: { first, last } }]];
  },
};

/** A client that sends events, and one that receives them. */
export class EventPath {
  readonly #sender: LoadClient;
  readonly #received: FrameCounter;

  private constructor(sender: LoadClient, received: FrameCounter) {
    this.#sender = sender;
    this.#received = received;
  }

  /** @param ports of the sender's server and the receiver's */
  static async between([from, to]: [number, number], crowd: Crowd): Promise<EventPath> {
    const received = new FrameCounter("client-update");
    const sender = await crowd.add(from);
    for (const client of [sender, await crowd.add(to, received)]) {
      await client.subscribePrivate(privateChannel);
    }
    return new EventPath(sender, received);
  }

  /** Milliseconds from the sending of an event to its receipt, one event after another. */
  async latencies(count: number): Promise<{ p50: number; p99: number }> {
    const latencies: number[] = [];
    for (; count > 0; count--) {
      const start = performance.now();
      await this.#received.more(1, () => this.#sender.send(clientEvent));
      latencies.push(this.#received.lastAt - start);
    }
    return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
  }
}
