import type { Link } from "../installation/link.ts";
import type { Server, ServerLinks } from "../installation/server.ts";
import type { Random } from "../random.ts";
import type { Disturbance } from "../truth/records.ts";
import {
  anyServer,
  duration,
  during,
  type FaultKind,
  secondsText,
  wait,
  type World,
} from "./fault.ts";

/** What happens to connections, and to PostgreSQL. */
export const linkFaults: readonly FaultKind[] = [
  onLink("Redis connection cut", "redis", { mayEndLease: true, cutsClients: true }, cut),
  onLink("Redis connection held up", "redis", { mayEndLease: true, cutsClients: true }, hold),
  onLink("Redis connection slow", "redis", {}, slow),
  onLink("PostgreSQL connection cut", "postgres", undefined, cut),
  onLink("PostgreSQL connection held up", "postgres", undefined, hold),
  onLink("clients held up", "clients", {}, hold),
  onLink("clients slow", "clients", {}, slow),
  {
    name: "clients cut",
    plan({ witness, ...world }, random) {
      const server = anyServer({ witness, ...world }, random);
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
    plan({ bounds, installation: { postgres } }, random) {
      const ms = random.between(0.1, 1) * bounds.leaseMs;
      return {
        text: `for ${secondsText(ms)}`,
        places: ["PostgreSQL"],
        async run() {
          await postgres.halt();
          await wait(ms);
          await postgres.resume();
        },
      };
    },
  },
];

interface LinkFault {
  readonly text: string;
  run(link: Link): Promise<void>;
}

function onLink(
  name: string,
  part: keyof ServerLinks,
  disturbance: Partial<Disturbance> | undefined,
  draw: (world: World, random: Random) => LinkFault,
): FaultKind {
  return {
    name,
    plan(world, random) {
      const server: Server = anyServer(world, random);
      const { run, text } = draw(world, random);
      const happen = () => run(server.links[part]);
      const what = { name, server: server.name, ...disturbance };
      return {
        text: `${server.name}'s ${text}`,
        places: part === "redis" ? [server.name] : [`${part} of ${server.name}`],
        run: () => disturbance ? during(world.witness, what, happen) : happen(),
      };
    },
  };
}

function cut({ bounds }: World, random: Random): LinkFault {
  const ms = random.happens(0.3) ? 0 : duration(bounds, random);
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

function hold({ bounds }: World, random: Random): LinkFault {
  const ms = duration(bounds, random);
  return {
    text: `for ${secondsText(ms)}`,
    async run(link) {
      link.isHeld = true;
      await wait(ms);
      link.isHeld = false;
    },
  };
}

function slow({ bounds }: World, random: Random): LinkFault {
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
