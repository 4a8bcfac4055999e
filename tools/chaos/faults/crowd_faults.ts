import { type FaultKind, wait } from "./fault.ts";

/** What many users do at a time. */
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
];
