import { measurement } from "./measurement.ts";

const published = { subscribers: 500, events: 80 };

/** The cost of an event of the server's own code to all subscribers of a public channel. */
export const fanOut = measurement({
  name: `fan-out, ${published.subscribers} subscribers`,
  turns: 12,
  figures: { cpu: { name: "CPU of a delivery", unit: "µs", aim: 1.1 } },
  async prepare(server, load) {
    await load.connect(published.subscribers);
    await load.subscribe();
    await load.quiet();
    await server.publish(200);
    return async () => {
      const before = await server.cpu();
      const after = await server.publish(published.events);
      return { cpu: (after - before) / (published.events * published.subscribers) };
    };
  },
});

const relayed = { subscribers: 500, events: 60 };

/** The cost of an event that a client sends to the other subscribers of a private channel. */
export const relay = measurement({
  name: `client event, ${relayed.subscribers} subscribers`,
  turns: 12,
  figures: { cpu: { name: "CPU of a delivery", unit: "µs", aim: 1.1 } },
  async prepare(server, load) {
    await load.connect(relayed.subscribers);
    await load.subscribePrivate();
    await load.quiet();
    const bytes = await load.bytesOf(() => load.sendEvent());
    const send = async (count: number) => {
      for (; count > 0; count--) await load.until(bytes, () => load.sendEvent());
    };
    await send(2 * relayed.events);
    return async () => {
      const before = await server.cpu();
      await send(relayed.events);
      return { cpu: (await server.cpu() - before) / (relayed.events * (relayed.subscribers - 1)) };
    };
  },
});

const inspectable = { subscribers: 20, events: 400 };

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
      await load.connect(inspectable.subscribers);
      await load.subscribe();
      await load.quiet();
      await server.publish(inspectable.events);
      return async () => {
        const before = await server.cpu();
        return { cpu: (await server.publish(inspectable.events) - before) / inspectable.events };
      };
    },
  });
}
