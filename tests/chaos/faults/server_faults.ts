import type { Server } from "../installation/server.ts";
import { ClockError } from "../installation/shifted_clock.ts";
import { secondsText, wait } from "../time.ts";
import { anyServer, duration, during, type FaultKind, type Simulation } from "./fault.ts";

/** The most servers that there are at a time. */
const maxServers = 5;

/** What happens to the processes of servers. */
export const serverFaults: readonly FaultKind[] = [
  {
    name: "server killed",
    plan(simulation, random) {
      const server = anyServer(simulation, random);
      const ms = random.between(0.05, 1.8) * simulation.bounds.leaseMs;
      return {
        text: `${server.name}, started again after ${secondsText(ms)}`,
        places: [server.name],
        async run() {
          const killed = server.kill();
          simulation.crowd.serverEnded(server, "server killed");
          simulation.witness.serverEnds(server.name, "server killed");
          await killed;
          await wait(ms);
          await simulation.start(server);
        },
      };
    },
  },
  {
    name: "server frozen",
    plan(simulation, random) {
      const server = anyServer(simulation, random);
      const ms = duration(simulation.bounds, random);
      return {
        text: `${server.name} for ${secondsText(ms)}`,
        places: [server.name],
        run: () =>
          during(
            simulation.witness,
            {
              name: `${server.name} frozen`,
              server: server.name,
              mayEndLease: true,
              holdsSigns: true,
            },
            async () => {
              server.freeze();
              await wait(ms);
              server.thaw();
            },
          ),
      };
    },
  },
  {
    name: "server restarted",
    plan(simulation, random) {
      const server = anyServer(simulation, random);
      const ms = random.between(0, 0.5) * simulation.bounds.leaseMs;
      return {
        text: `${server.name}, started again after ${secondsText(ms)}`,
        places: [server.name],
        async run() {
          await stop(simulation, server);
          await wait(ms);
          await simulation.start(server);
        },
      };
    },
  },
  {
    name: "rolling restart",
    plan(simulation) {
      const servers = simulation.installation.servers.filter(({ state }) => state === "running");
      return {
        text: servers.map(({ name }) => name).join(", then "),
        places: servers.map(({ name }) => name),
        async run() {
          for (const server of servers) {
            await stop(simulation, server);
            await simulation.start(server);
          }
        },
      };
    },
  },
  {
    name: "server added, and stopped for good",
    plan(simulation, random) {
      const { installation, bounds, start } = simulation;
      const spare = installation.servers.find(({ state }) => state === "down");
      const { length } = installation.servers;
      if (!spare && length >= maxServers) return undefined;
      const ms = random.between(0.5, 1.5) * bounds.leaseMs;
      const name = spare?.name ?? String.fromCharCode(65 + length);
      return {
        text: `${name} for ${secondsText(ms)}`,
        places: [name, "another server"],
        async run() {
          const server = spare ?? await installation.place();
          await start(server);
          if (server.state !== "running") return;
          await wait(ms);
          await stop(simulation, server);
        },
      };
    },
  },
  {
    name: "clock shifted",
    plan(simulation, random) {
      const server = anyServer(simulation, random);
      const seconds = random.whole(-240, 240);
      return {
        text: `${server.name} to ${seconds} s beside the machine's`,
        places: [`clock of ${server.name}`],
        async run() {
          const clock = simulation.installation.clocks.get(server);
          clock?.shift(seconds);
          await clock?.verify(server).catch((error) => {
            // A fault of the same time keeps it from answering.
            if (error instanceof ClockError) throw error;
          });
        },
      };
    },
  },
];

async function stop({ crowd, witness }: Simulation, server: Server): Promise<void> {
  const stopped = server.stop();
  witness.serverEnds(server.name, "server stopped");
  await stopped;
  crowd.serverEnded(server, "server stopped");
  witness.serverEnds(server.name, "server stopped");
}
