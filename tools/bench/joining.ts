import type { Load } from "./load.ts";
import { measurement } from "./measurement.ts";
import type { ServerProcess } from "./server_process.ts";

const members = 500;
const deliveries = members * (members - 1) / 2;

const shared = {
  turns: 3,
  async prepare(server: ServerProcess, load: Load) {
    await load.connect(members);
    let turn = 0;
    const bytes = await load.bytesOf(() => load.joinPresence(turn++));
    return async () => {
      const before = await server.forget();
      await load.until(bytes, () => load.joinPresence(turn++));
      return { cpu: (await server.cpu() - before) / deliveries };
    };
  },
};

/** What it costs to tell everybody in a presence channel of a newcomer, and the newcomer of them. */
export const joining = measurement({
  ...shared,
  name: `join, ${members} members`,
  figures: { cpu: { name: "CPU of a member_added", unit: "µs", aim: 1.15 } },
});

/** What those cost who hear of every change. With nobody attached, they are part of {@link joining}. */
export const observers = measurement({
  ...shared,
  name: `observers, ${members} members`,
  servers: { measured: "observed", beside: "rollcall" },
  figures: { cpu: { name: "CPU of a member_added", unit: "µs" } },
});
