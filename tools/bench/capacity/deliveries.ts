import { publicChannel } from "../bench_app.ts";
import { Crowd, FrameCounter } from "../crowd.ts";
import { ApiCaller, LoadClient } from "../load_client.ts";
import { percentile } from "../report.ts";
import type { MeasuredServer } from "./servers.ts";

/** Subscribers who read rarely, so that the cores are the server's, and those who are timed. */
const [readers, witnesses] = [500, 20];

const readEveryMs = 500;

/** Calls of the HTTP API that are on their way at the same time. */
const ahead = 4;

/** Callers at an even rate: more, as one that waits for its answer must hold up no other. */
const pacedCallers = 16;

/** How long each rate is kept, in seconds. */
const seconds = 5;

/** The knee is the highest rate at which 99 of 100 deliveries take no longer, in milliseconds. */
export const kneeMs = 100;

/** The shares of the most that the server carries at which latency is measured. */
const shares = [25, 50, 75] as const;

/** Figures by the name of their row. */
export type Figures = Record<string, number>;

/** What a server delivers to subscribers of one channel, and how soon at which rate. */
export async function measureDeliveries(server: MeasuredServer): Promise<Figures> {
  using subscribers = await Subscribers.of(server.port);
  await subscribers.most();
  const most = await subscribers.most();
  const figures: Figures = { "deliveries, at most (/s)": most * subscribers.size };
  for (const share of shares) {
    const times = await subscribers.latencies(most * share / 100);
    for (const percent of [50, 95, 99, 100]) {
      const name = percent === 100 ? "max" : `p${percent}`;
      figures[`latency at ${share}%, ${name} (ms)`] = percentile(times, percent);
    }
  }
  let knee = 0;
  for (let share = 50; share <= 110; share += 10) {
    const rate = most * share / 100;
    if (percentile(await subscribers.latencies(rate), 99) > kneeMs) break;
    knee = rate * subscribers.size;
  }
  return { ...figures, "deliveries at the knee (/s)": knee };
}

/** Notes when each event came. */
class Witness extends FrameCounter {
  readonly arrivals: number[] = [];

  override received(bytes: number, chunk: Uint8Array): void {
    const before = this.count;
    super.received(bytes, chunk);
    for (let more = this.count - before; more > 0; more--) this.arrivals.push(this.lastAt);
  }
}

/** Subscribers of a public channel, and callers of the HTTP API; disposing disconnects all. */
class Subscribers implements Disposable {
  readonly #crowd = new Crowd();
  readonly #witnesses: Witness[] = [];
  readonly #callers: ApiCaller[] = [];

  readonly size = readers + witnesses;

  static async of(port: number): Promise<Subscribers> {
    const subscribers = new Subscribers();
    await subscribers.#crowd.connect([port], readers);
    await subscribers.#crowd.subscribe(publicChannel);
    for (const client of subscribers.#crowd.clients) client.readEvery(readEveryMs);
    for (let count = 0; count < witnesses; count++) {
      const witness = new Witness('"update"');
      subscribers.#witnesses.push(witness);
      const client = subscribers.#crowd.admit(await LoadClient.connect(port, witness));
      await client.subscribe({ channel: publicChannel });
    }
    const callers = Array.from({ length: pacedCallers }, () => ApiCaller.connect(port));
    subscribers.#callers.push(...await Promise.all(callers));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return subscribers;
  }

  /** How many events a second all receive when the next ones come as soon as these have. */
  async most(): Promise<number> {
    const start = performance.now();
    const before = this.#witnesses.map(({ count }) => count);
    let published = 0;
    await Promise.all(
      this.#callers.slice(0, ahead).map(async (caller) => {
        while (performance.now() - start < seconds * 1_000) {
          const number = ++published;
          await caller.trigger();
          await this.#reach(before, number);
        }
      }),
    );
    await this.#reach(before, published);
    return published / (performance.now() - start) * 1_000;
  }

  /** Milliseconds from when an event is due, at an even rate, to its receipt by each witness. */
  async latencies(rate: number): Promise<number[]> {
    const before = this.#witnesses.map(({ count }) => count);
    for (const { arrivals } of this.#witnesses) arrivals.length = 0;
    const events = Math.round(rate * seconds);
    const start = performance.now();
    const dueAt = (event: number) => start + event * 1_000 / rate;
    let next = 0;
    await Promise.all(this.#callers.map(async (caller) => {
      while (next < events) {
        const wait = dueAt(next++) - performance.now();
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        await caller.trigger();
      }
    }));
    await this.#reach(before, events);
    return this.#witnesses.flatMap(({ arrivals }) =>
      arrivals.map((at, event) => at - dueAt(event))
    );
  }

  async #reach(before: number[], events: number): Promise<void> {
    await Promise.all(this.#witnesses.map((each, index) => each.reach(before[index] + events)));
  }

  [Symbol.dispose](): void {
    this.#crowd[Symbol.dispose]();
    for (const caller of this.#callers) caller.close();
  }
}
