import { measurement } from "./measurement.ts";

const subscribers = 500;
const events = 80;

/** The cost of an event of the server's own code to all subscribers of a public channel. */
export const fanOut = measurement({
  name: `fan-out, ${subscribers} subscribers`,
  turns: 12,
  figures: { cpu: { name: "CPU of a delivery", unit: "µs", aim: 1.1 } },
  async prepare(server, load) {
    await load.connect(subscribers);
    await load.subscribe();
    await load.quiet();
    await server.publish(200);
    return async () => {
      const before = await server.cpu();
      const after = await server.publish(events);
      return { cpu: (after - before) / (events * subscribers) };
    };
  },
});
