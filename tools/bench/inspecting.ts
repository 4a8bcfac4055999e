import { measurement } from "./measurement.ts";

const subscribers = 20;
const events = 400;

/** The cost of the inspector to the events of a channel, of which it follows none, or all. */
export const inspecting = [
  inspection("an event that no admin inspects", { measured: "rollcall", beside: "unlistened" }),
  inspection("an event that an admin inspects", { measured: "inspected", beside: "rollcall" }),
];

function inspection(
  name: string,
  servers: { measured: "rollcall" | "inspected"; beside: "unlistened" | "rollcall" },
) {
  return measurement({
    name,
    servers,
    turns: 12,
    figures: { cpu: { name: "CPU of an event", unit: "µs" } },
    async prepare(server, load) {
      await load.connect(subscribers);
      await load.subscribe();
      await load.quiet();
      await server.publish(events);
      return async () => {
        const before = await server.cpu();
        return { cpu: (await server.publish(events) - before) / events };
      };
    },
  });
}
