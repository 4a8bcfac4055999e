import type { Load } from "./load.ts";
import { comparison } from "./measurement.ts";

/** How long the server has no connection before memory has to be back, in milliseconds. */
const idleMs = 120_000;

/** The memory of a server whose clients all leave a room at once, with no leave grace. */
export const leaving = [
  leave("leave at once, 4,000 members", 4_000, () => {}),
  leave("leave at once, 3,000 members who stopped reading", 3_000, (load) => load.stopReading()),
];

function leave(name: string, members: number, before: (load: Load) => void) {
  return comparison({
    name,
    openFiles: members + 200,
    figures: {
      peak: { name: "memory at most, beside before", unit: "MB", aim: 1.3 },
      idle: { name: "memory 2 minutes later, beside before", unit: "MB", aim: 1.3 },
    },
    async compare(server, load) {
      await load.connect(members);
      await load.joinPresence(0);
      await load.quiet();
      before(load);
      const full = await server.watchMemory() / 1e6;
      load.disconnect();
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      const measured = {
        peak: await server.peakMemory() / 1e6,
        idle: await server.memory() / 1e6,
      };
      return { beside: { peak: full, idle: full }, measured };
    },
  });
}
