import type { Load } from "./load.ts";
import { measurement } from "./measurement.ts";
import type { ServerProcess } from "./server_process.ts";

const members = 1_000;

/** What it costs to tell everybody in a presence channel of a newcomer, and the newcomer of them. */
export const joining = measurement({
  name: "join, 1,000 members",
  turns: 1,
  figures: { cpu: { name: "CPU of a member_added", unit: "µs", aim: 1.15 } },
  prepare,
});

/** What those cost who hear of every change. With nobody attached, they are part of {@link joining}. */
export const observers = measurement({
  name: "observers, 1,000 members",
  servers: { measured: "observed", beside: "rollcall" },
  turns: 1,
  figures: { cpu: { name: "CPU of a member_added", unit: "µs" } },
  prepare,
});

async function prepare(server: ServerProcess, load: Load): Promise<() => Promise<{ cpu: number }>> {
  await load.connect(members);
  return async () => {
    const before = await server.cpu();
    await load.joinPresence();
    const after = await server.cpu();
    return { cpu: (after - before) / (members * (members - 1) / 2) };
  };
}
