import type { Part } from "./part.ts";
import { Crowd, joinPresence } from "./crowd.ts";
import { FrameCounter } from "./frame_counter.ts";
import { Installation } from "./installation.ts";

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
      await joinPresence(client, room, { id: `watcher-${index}`, isQuiet: false });
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
