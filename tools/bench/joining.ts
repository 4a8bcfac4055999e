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

/** The cost of a join to a presence channel: `member_added` to all, the list to the newcomer. */
export const joining = measurement({
  ...shared,
  name: `join, ${members} members`,
  figures: { cpu: { name: "CPU of a member_added", unit: "µs", aim: 1.15 } },
});

/** The cost of listeners to every change, which {@link joining} does not have. */
export const observers = measurement({
  ...shared,
  name: `observers, ${members} members`,
  servers: { measured: "observed", beside: "rollcall" },
  figures: { cpu: { name: "CPU of a member_added", unit: "µs" } },
});
