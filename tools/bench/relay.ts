import { measurement } from "./measurement.ts";

const subscribers = 500;
const events = 60;

/** The cost of an event that a client sends to the other subscribers of a private channel. */
export const relay = measurement({
  name: `client event, ${subscribers} subscribers`,
  turns: 12,
  figures: { cpu: { name: "CPU of a delivery", unit: "µs", aim: 1.1 } },
  async prepare(server, load) {
    await load.connect(subscribers);
    await load.subscribePrivate();
    await load.quiet();
    const bytes = await load.bytesOf(() => load.sendEvent());
    const send = async (count: number) => {
      for (; count > 0; count--) await load.until(bytes, () => load.sendEvent());
    };
    await send(2 * events);
    return async () => {
      const before = await server.cpu();
      await send(events);
      return { cpu: (await server.cpu() - before) / (events * (subscribers - 1)) };
    };
  },
});
