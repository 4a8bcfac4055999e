import type { ApiCaller } from "./load_client.ts";
import type { Load } from "./load.ts";
import { measurement } from "./measurement.ts";
import { percentile } from "./report.ts";

/** How many servers trigger events at the same time. */
const callers = 8;

interface Amounts {
  subscribers: number;
  /** Events triggered as fast as they are answered. */
  events: number;
  /** Events triggered one after the other, each when the previous one has reached every subscriber. */
  paced: number;
  aim?: number;
}

/** The cost and the latency of an event that another server triggers. */
export const triggers = [
  trigger({ subscribers: 1, events: 1_200, paced: 200 }),
  trigger({ subscribers: 100, events: 320, paced: 50 }),
  trigger({ subscribers: 1_000, events: 40, paced: 10, aim: 1.1 }),
];

function trigger({ subscribers, events, paced, aim }: Amounts) {
  return measurement({
    name: `trigger, ${subscribers.toLocaleString("en")} subscriber${subscribers > 1 ? "s" : ""}`,
    turns: 6,
    figures: {
      triggerCpu: { name: "CPU of a trigger", unit: "µs" },
      deliveryCpu: { name: "CPU of a delivery", unit: "µs", aim },
      triggerRate: { name: "triggers", unit: "/s" },
      deliveryRate: { name: "deliveries", unit: "/s" },
      p50: { name: "latency, p50", unit: "ms" },
      p99: { name: "latency, p99", unit: "ms" },
    },
    async prepare(server, load) {
      await load.connect(subscribers);
      await load.subscribe();
      await load.quiet();
      const all = await load.callers(callers);
      const eventBytes = await load.bytesOf(() => all[0].trigger());
      const triggerMany = (count: number) =>
        load.until(eventBytes * count, () => triggerAll(all, count / callers));
      await triggerMany(2 * events);
      return async () => {
        const [before, start] = [await server.cpu(), performance.now()];
        await triggerMany(events);
        const seconds = (performance.now() - start) / 1_000;
        const triggerCpu = (await server.cpu() - before) / events;
        const latencies = await latenciesOf(all[0], load, eventBytes, paced);
        return {
          triggerCpu,
          deliveryCpu: triggerCpu / subscribers,
          triggerRate: events / seconds,
          deliveryRate: events * subscribers / seconds,
          p50: percentile(latencies, 50),
          p99: percentile(latencies, 99),
        };
      };
    },
  });
}

async function triggerAll(callers: ApiCaller[], each: number): Promise<void> {
  await Promise.all(callers.map(async (caller) => {
    for (let count = 0; count < each; count++) await caller.trigger();
  }));
}

/** Milliseconds from a call to the receipt at each subscriber. */
async function latenciesOf(
  caller: ApiCaller,
  load: Load,
  eventBytes: number,
  count: number,
): Promise<number[]> {
  const latencies: number[] = [];
  let start = 0;
  load.onReceived = () => latencies.push(performance.now() - start);
  for (; count > 0; count--) {
    await load.until(eventBytes, () => {
      start = performance.now();
      return caller.trigger();
    });
  }
  load.onReceived = () => {};
  return latencies;
}
