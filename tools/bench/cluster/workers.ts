import type { PostgresServer } from "@/tests/fixtures/postgres.ts";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { ApiCaller, LoadClient, type LoadListener } from "../load_client.ts";
import { publicChannel } from "../bench_app.ts";
import type { Pair } from "../measurement.ts";
import { ServerProcess } from "../server_process.ts";
import { Crowd, FrameCounter, unread } from "../crowd.ts";
import { type Figures, Installation, type Part } from "./installation.ts";

/** Subscribers of an installation, events of a turn, and turns of a round. */
const [subscribers, events, turns] = [600, 150, 5];

/** How many clients connect at the same time. */
const atOnce = 50;

/** How many events are on their way at the same time. */
const ahead = 4;

/** How often a subscriber reads, in milliseconds, so that the clients leave the cores to the servers. */
const readEveryMs = 500;

/** How long after an event the last of its work is awaited, in milliseconds. */
const settleMs = 300;

const figures = {
  rate: { name: "deliveries", unit: "/s", least: 1.8 },
  cpu: { name: "CPU of a delivery", unit: "µs" },
  derived: { name: "deliveries that the CPU of a delivery allows", unit: "/s", least: 1.8 },
};

/** What two processes deliver on two cores, beside one. */
export const workers: Part = {
  name: "workers",
  comparisons: [
    { name: "two workers, beside one server with Redis", figures },
    { name: "two workers, beside one server without Redis", figures },
    { name: "two bare loops, beside one", figures },
  ],
  async round(postgres) {
    const [two, one, alone, twoBare, oneBare] = await Promise.all([
      Deliveries.ofRollcall({ redis: true, workers: 2 }, postgres),
      Deliveries.ofRollcall({ redis: true, workers: 1 }, postgres),
      Deliveries.ofRollcall({ redis: false, workers: 1 }, postgres),
      Deliveries.ofBareLoops(2),
      Deliveries.ofBareLoops(1),
    ]);
    await using owned = new AsyncDisposableStack();
    for (const each of [two, one, alone, twoBare, oneBare]) owned.use(each);
    const pairs: Pair[][] = [[], [], []];
    for (let turn = 0; turn < turns; turn++) {
      const beside = await one.measure();
      const measured = await two.measure();
      pairs[0].push({ beside, measured });
      pairs[1].push({ beside: await alone.measure(), measured });
      pairs[2].push({ beside: await oneBare.measure(), measured: await twoBare.measure() });
    }
    return pairs;
  },
};

/** Connects a client to one of some processes. */
type Connect = (process: number, listener?: LoadListener) => Promise<LoadClient>;

/** What {@link Deliveries} are made with. */
interface Processes {
  count: number;
  connect: Connect;
  /** Microseconds of CPU time of all so far. */
  cpu: () => Promise<number>;
  /** Each makes all processes deliver an event, and resolves with the answer. */
  publishers: (() => Promise<unknown>)[];
  owned: AsyncDisposable[];
  /** Whether clients have to show that they are there. */
  isStrict: boolean;
}

/** Processes that deliver events to subscribers, of which each has the same share. */
class Deliveries implements AsyncDisposable {
  readonly #processes: Processes;
  readonly #crowd: Crowd;
  readonly #witnesses: FrameCounter[] = [];

  private constructor(processes: Processes) {
    this.#processes = processes;
    this.#crowd = new Crowd({ showsAlive: processes.isStrict });
  }

  static async ofRollcall(
    { redis, workers: count }: { redis: boolean; workers: number },
    postgres: PostgresServer,
  ): Promise<Deliveries> {
    const installation = await Installation.start({ servers: 1, redis, workers: count }, postgres);
    const [port] = installation.ports;
    const callers = await connectedCallers(port);
    return await Deliveries.#begin({
      count,
      connect: count > 1 ? connectToWorkers(port) : (_, listener) => connect(port, listener),
      cpu: () => installation.cpu(),
      publishers: callers.map((caller) => () => caller.trigger()),
      owned: [installation, closing(callers)],
      isStrict: true,
    });
  }

  static async ofBareLoops(count: number): Promise<Deliveries> {
    const servers = await Promise.all(
      Array.from({ length: count }, () => ServerProcess.start("bare")),
    );
    const callers = await Promise.all(servers.map(({ port }) => connectedCallers(port)));
    return await Deliveries.#begin({
      count,
      connect: (index, listener) => connect(servers[index].port, listener),
      cpu: async () => {
        const all = await Promise.all(servers.map((server) => server.cpu()));
        return all.reduce((sum, cpu) => sum + cpu, 0);
      },
      publishers: Array.from(
        { length: ahead },
        (_, index) => () => Promise.all(callers.map((ofServer) => ofServer[index].trigger())),
      ),
      owned: [...servers, closing(callers.flat())],
      isStrict: false,
    });
  }

  static async #begin(processes: Processes): Promise<Deliveries> {
    const { connect, count } = processes;
    const deliveries = new Deliveries(processes);
    const add = async (process: number, listener?: LoadListener) => {
      const client = deliveries.#crowd.admit(await connect(process, listener));
      await client.subscribe({ channel: publicChannel });
      return client;
    };
    for (let done = 0; done < subscribers; done += atOnce) {
      const some = Array.from({ length: atOnce }, (_, index) => add((done + index) % count));
      for (const client of await Promise.all(some)) client.readEvery(readEveryMs);
    }
    // The last one in each process has an event when all others of the process have it.
    for (let process = 0; process < count; process++) {
      const witness = new FrameCounter('"update"');
      deliveries.#witnesses.push(witness);
      await add(process, witness);
    }
    await sleep(settleMs);
    await deliveries.measure();
    return deliveries;
  }

  async measure(): Promise<Figures> {
    const { count, cpu, publishers } = this.#processes;
    const before = await cpu();
    const start = performance.now();
    const received = this.#witnesses.map((witness) => witness.count);
    let published = 0;
    await Promise.all(publishers.map(async (publish) => {
      while (published < events) {
        const number = ++published;
        await publish();
        await Promise.all(
          this.#witnesses.map((witness, index) => witness.reach(received[index] + number)),
        );
      }
    }));
    const end = Math.max(...this.#witnesses.map(({ lastAt }) => lastAt));
    await sleep(settleMs);
    const each = (await cpu() - before) / (events * subscribers);
    return {
      rate: events * subscribers / (end - start) * 1_000,
      cpu: each,
      derived: count * 1e6 / each,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#crowd[Symbol.dispose]();
    for (const one of this.#processes.owned) await one[Symbol.asyncDispose]();
  }
}

function connect(port: number, listener: LoadListener = unread): Promise<LoadClient> {
  return LoadClient.connect(port, listener);
}

/** Connects to the workers of a port by trying until the kernel chooses the one that is meant. */
function connectToWorkers(port: number): Connect {
  const numbers: number[] = [];
  return async (worker, listener) => {
    while (true) {
      const client = await connect(port, listener);
      const number = serverNumberOf(client.socketId);
      if (!numbers.includes(number)) numbers.push(number);
      if (numbers.indexOf(number) === worker) return client;
      client.close();
    }
  };
}

function connectedCallers(port: number): Promise<ApiCaller[]> {
  return Promise.all(Array.from({ length: ahead }, () => ApiCaller.connect(port)));
}

function closing(callers: ApiCaller[]): AsyncDisposable {
  return {
    [Symbol.asyncDispose]() {
      for (const caller of callers) caller.close();
      return Promise.resolve();
    },
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
