import { keptWhileFrozenMs, lostWhenFrozenMs } from "../bounds.ts";
import { secondsText, wait } from "../time.ts";
import { during, type FaultKind } from "./fault.ts";

/** What many users do at a time, and what happens to their programs. */
export const crowdFaults: readonly FaultKind[] = [
  {
    name: "tab storm",
    plan({ crowd, installation }, random) {
      const users = new Set(Array.from({ length: 6 }, () => random.pick(crowd.tabs).user));
      const tabs = crowd.tabs.filter(({ user }) => users.has(user));
      return {
        text: `${tabs.length} tabs of ${users.size} users open and close on all servers`,
        places: ["crowd"],
        async run() {
          for (let round = 0; round < 6; round++) {
            for (const tab of tabs) {
              if (random.happens(0.3)) tab.close();
              else if (installation.serving.length > 0) tab.move(random.pick(installation.serving));
              await wait(random.between(0, 60));
            }
          }
        },
      };
    },
  },
  {
    name: "many move at once",
    plan({ crowd, installation }, random) {
      const share = random.between(0.2, 0.6);
      return {
        text: `${Math.round(share * 100)} % of all to other servers`,
        places: ["crowd"],
        async run() {
          for (const tab of crowd.connected) {
            const others = installation.serving.filter((server) => server !== tab.server);
            if (random.happens(share) && others.length > 0) tab.move(random.pick(others));
          }
          await wait(500);
        },
      };
    },
  },
  {
    name: "many leave and others come at once",
    plan({ crowd }, random) {
      const share = random.between(0.2, 0.5);
      return {
        text: `${Math.round(share * 100)} % of all`,
        places: ["crowd"],
        async run() {
          const [inside, outside] = [crowd.connected, crowd.tabs.filter((tab) => !tab.isWanted)];
          for (const tab of inside) if (random.happens(share)) tab.close();
          for (const tab of outside) if (random.happens(share)) tab.open();
          await wait(500);
        },
      };
    },
  },
  {
    name: "clients killed",
    plan({ bounds, crowd }, random) {
      const process = random.pick(crowd.processes);
      const ms = random.between(0, 0.5) * bounds.leaseMs;
      return {
        text: `${process.name}, started again after ${secondsText(ms)}`,
        places: ["crowd"],
        async run() {
          const tabs = crowd.tabsIn(process);
          const killed = process.kill();
          for (const tab of tabs) tab.crashed();
          await killed;
          await wait(ms);
          await process.start();
          for (const tab of tabs) if (tab.isWanted) tab.open();
        },
      };
    },
  },
  {
    name: "clients frozen",
    plan({ bounds, crowd, installation: { servers }, witness }, random) {
      const process = random.pick(crowd.processes);
      const { graceMs, leaseMs, slackMs } = bounds;
      const isLong = random.happens(0.3);
      const ms = isLong
        // Long enough that a list of others would show users who have to be gone.
        ? lostWhenFrozenMs + graceMs + slackMs + random.between(0.3, 1) * leaseMs
        : random.between(0.05, 0.8) * keptWhileFrozenMs;
      return {
        text: `${process.name} for ${secondsText(ms)}`,
        // A frozen client does not report that its connection was cut.
        places: ["crowd", ...servers.map(({ name }) => `clients of ${name}`)],
        async run() {
          const tabs = crowd.tabsIn(process).filter((tab) => tab.isWanted);
          await process.freeze();
          const what = { name: "clients frozen", process: process.name, holdsSigns: true };
          await during(witness, what, async () => {
            await wait(Math.min(ms, keptWhileFrozenMs));
            if (isLong) {
              for (const tab of tabs) tab.lost("client frozen");
              await wait(ms - keptWhileFrozenMs);
            }
            process.thaw();
          });
          if (!isLong) return;
          await wait(1_000);
          // Another fault may have kept the server from closing its connection.
          for (const tab of tabs) if (tab.isLost) tab.move();
        },
      };
    },
  },
];
