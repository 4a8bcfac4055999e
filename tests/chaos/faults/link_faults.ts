import { keptWhileFrozenMs } from "../bounds.ts";
import type { Link } from "../installation/link.ts";
import type { Server, ServerLinks } from "../installation/server.ts";
import type { Random } from "@/server/demo/random.ts";
import type { Disturbance } from "../truth/records.ts";
import { secondsText, wait } from "../time.ts";
import { anyServer, duration, during, type FaultKind, type Simulation } from "./fault.ts";

/** What happens to connections, and to PostgreSQL. */
export const linkFaults: readonly FaultKind[] = [
  onLink("Redis connection cut", "redis", { mayEndLease: true }, cut),
  onLink("Redis connection cut for leases", "redis", { mayEndLease: true }, cutForLeases),
  onLink("Redis connection held up", "redis", { mayEndLease: true }, hold),
  onLink("Redis connection slow", "redis", {}, slow),
  onLink("PostgreSQL connection cut", "postgres", { isOfDatabase: true }, cut),
  onLink("PostgreSQL connection held up", "postgres", { isOfDatabase: true }, hold),
  onLink("clients held up", "clients", { holdsSigns: true }, holdClients),
  onLink("clients slow", "clients", {}, slow),
  {
    name: "all Redis connections cut for leases",
    plan(simulation, random) {
      const { installation: { servers }, witness } = simulation;
      const { run, text } = cutForLeases(simulation, random);
      return {
        text: `those of all ${text}`,
        // A server that starts meanwhile would be the only one with Redis.
        places: ["Redis", "another server", ...servers.map(({ name }) => name)],
        run: () =>
          during(witness, { name: "all Redis connections cut for leases" }, async () => {
            await Promise.all(servers.map(({ links }) => run(links.redis)));
          }),
      };
    },
  },
  {
    name: "clients cut",
    plan({ witness, ...simulation }, random) {
      const server = anyServer({ witness, ...simulation }, random);
      const share = random.pick([0.1, 0.5, 1]);
      return {
        text: `${share * 100} % of ${server.name}'s`,
        places: [`clients of ${server.name}`],
        run: () =>
          during(
            witness,
            { name: "clients cut", server: server.name, cutsClients: true },
            async () => {
              server.links.clients.cut(() => Math.random() < share);
              await wait(200);
            },
          ),
      };
    },
  },
  {
    name: "PostgreSQL stopped",
    plan({ bounds, installation: { postgres }, witness }, random) {
      const ms = random.between(0.1, 1) * bounds.leaseMs;
      return {
        text: `for ${secondsText(ms)}`,
        places: ["PostgreSQL"],
        run: () =>
          during(witness, { name: "PostgreSQL stopped", isOfDatabase: true }, async () => {
            await postgres.halt();
            await wait(ms);
            await postgres.resume();
          }),
      };
    },
  },
];

/** What happens to connections of workers to their coordinator. */
export const coordinatorLinkFaults: readonly FaultKind[] = [
  onLink("coordinator connection cut", "redis", { mayEndLease: true }, cut),
  onLink("coordinator connection held up", "redis", { mayEndLease: true }, hold),
  onLink("coordinator connection slow", "redis", {}, slow),
];

interface LinkFault {
  readonly text: string;
  run(link: Link): Promise<void>;
}

function onLink(
  name: string,
  part: keyof ServerLinks,
  disturbance: Partial<Disturbance>,
  draw: (simulation: Simulation, random: Random) => LinkFault,
): FaultKind {
  return {
    name,
    plan(simulation, random) {
      const server: Server = anyServer(simulation, random);
      const { run, text } = draw(simulation, random);
      const happen = () => run(server.links[part]);
      const what = { name, server: server.name, ...disturbance };
      return {
        text: `${server.name}'s ${text}`,
        places: part === "redis" ? [server.name] : [`${part} of ${server.name}`],
        run: () => during(simulation.witness, what, happen),
      };
    },
  };
}

function cut({ bounds }: Simulation, random: Random): LinkFault {
  return cutFor(random.happens(0.3) ? 0 : duration(bounds, random));
}

/** So long that clients are sent to servers that have Redis, if there are any. */
function cutForLeases({ bounds }: Simulation, random: Random): LinkFault {
  return cutFor(random.between(2.5, 4) * bounds.leaseMs);
}

function cutFor(ms: number): LinkFault {
  return {
    text: ms === 0 ? "for a moment" : `for ${secondsText(ms)}`,
    async run(link) {
      link.isRefusing = ms > 0;
      link.cut();
      await wait(ms);
      link.isRefusing = false;
    },
  };
}

function hold({ bounds }: Simulation, random: Random): LinkFault {
  return holdFor(duration(bounds, random));
}

/** Not so long that the server misses a sign of life. */
function holdClients({ bounds }: Simulation, random: Random): LinkFault {
  return holdFor(Math.min(keptWhileFrozenMs - 4_000, duration(bounds, random)));
}

function holdFor(ms: number): LinkFault {
  return {
    text: `for ${secondsText(ms)}`,
    async run(link) {
      link.isHeld = true;
      await wait(ms);
      link.isHeld = false;
    },
  };
}

function slow({ bounds }: Simulation, random: Random): LinkFault {
  const ms = duration(bounds, random);
  const delayMs = random.whole(20, 400);
  return {
    text: `by ${delayMs} ms, for ${secondsText(ms)}`,
    async run(link) {
      link.delayMs = delayMs;
      await wait(ms);
      link.delayMs = 0;
    },
  };
}
