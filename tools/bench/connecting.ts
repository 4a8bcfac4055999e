import { measurement } from "./measurement.ts";

const first = 500;
const each = 500;

/** The cost of a new connection and its subscription to a public channel. */
export const connecting = measurement({
  name: `connect and subscribe, ${each} clients`,
  turns: 4,
  figures: {
    cpu: { name: "CPU of a client", unit: "µs" },
    rate: { name: "clients", unit: "/s" },
  },
  async prepare(server, load) {
    await load.connect(first);
    const answerBytes = await load.bytesOf(() => load.subscribe()) / first;
    let there = first;
    return async () => {
      const [before, start] = [await server.cpu(), performance.now()];
      await load.connect(there + each);
      await load.until(each * answerBytes, () => load.subscribe(there));
      there += each;
      const seconds = (performance.now() - start) / 1_000;
      return { cpu: (await server.cpu() - before) / each, rate: each / seconds };
    };
  },
});
