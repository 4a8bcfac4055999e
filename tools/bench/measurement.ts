import { Load } from "./load.ts";
import { type ServerKind, ServerProcess } from "./server_process.ts";
import { median } from "./report.ts";

/** One number that a measurement gives. */
export interface Figure {
  name: string;
  unit: string;
  /** The limit of the ratio of the two servers, where there is one. */
  aim?: number;
  /** What the ratio has to reach, where that is the aim. */
  least?: number;
}

/** A load that is put on two servers. */
export interface Measurement<Name extends string = string> {
  name: string;
  /** The server measured and the one beside it; by default Rollcall and the bare loop. */
  servers?: { measured: ServerKind; beside: ServerKind };
  /**
   * How often a round does it to the same two processes, in turns: the more and the shorter, the less
   * other work on the machine matters. Once, where a process can do it only once.
   */
  turns: number;
  /** Descriptors that this process and each server's need for sockets, where they are many. */
  openFiles?: number;
  figures: Record<Name, Figure>;
  /** Brings a new server to where it can begin, and answers what is done and measured then. */
  prepare(server: ServerProcess, load: Load): Promise<() => Promise<Record<Name, number>>>;
}

/** Figures of one server at two times, of which the first is the measure of the other. */
export interface Comparison<Name extends string = string> {
  name: string;
  /** See {@link Measurement.openFiles}. */
  openFiles?: number;
  figures: Record<Name, Figure>;
  compare(server: ServerProcess, load: Load): Promise<{
    beside: Record<Name, number>;
    measured: Record<Name, number>;
  }>;
}

/** Lets the compiler see that a comparison gives the figures that it names. */
export function comparison<Name extends string>(given: Comparison<Name>): Comparison {
  return given;
}

/** Lets the compiler see that a measurement gives the figures that it names. */
export function measurement<Name extends string>(given: Measurement<Name>): Measurement {
  return given;
}

type Figures = Record<string, number>;

/** The figures of both servers, measured one directly after the other. */
export interface Pair {
  beside: Figures;
  measured: Figures;
}

/** One figure over all rounds of a measurement. */
export interface Result extends Figure {
  measurement: string;
  /** Medians. */
  measured: number;
  beside: number;
  /** Of measured to beside: the median, and the lowest and highest median of a round. */
  ratio: { median: number; lowest: number; highest: number };
}

/** Measures in rounds: both servers in turns, so that other work on the machine slows both. */
export async function measureInRounds(
  measurement: Measurement | Comparison,
  rounds: number,
): Promise<Result[]> {
  const pairs: Pair[][] = [];
  for (let round = 0; round < rounds; round++) {
    if ("compare" in measurement) pairs.push([await compare(measurement)]);
    else if (measurement.turns > 1) pairs.push(await takeTurns(measurement));
    else pairs.push([await once(measurement)]);
  }
  return resultsOf(measurement, pairs);
}

/** @param pairs of each round */
export function resultsOf(
  measurement: { name: string; figures: Record<string, Figure> },
  pairs: Pair[][],
): Result[] {
  return Object.entries(measurement.figures).map(([key, figure]) => {
    const ratios = pairs.map((round) => round.map((pair) => pair.measured[key] / pair.beside[key]));
    const ofRounds = ratios.map(median);
    return {
      ...figure,
      measurement: measurement.name,
      measured: median(pairs.flat().map((pair) => pair.measured[key])),
      beside: median(pairs.flat().map((pair) => pair.beside[key])),
      ratio: {
        median: median(ratios.flat()),
        lowest: Math.min(...ofRounds),
        highest: Math.max(...ofRounds),
      },
    };
  });
}

function serversOf({ servers }: Measurement): { measured: ServerKind; beside: ServerKind } {
  return servers ?? { measured: "rollcall", beside: "bare" };
}

async function compare(comparison: Comparison): Promise<Pair> {
  await using server = await ServerProcess.start("rollcall");
  using load = new Load(server.port);
  return await comparison.compare(server, load);
}

/** Both servers run, and the clients of both are connected. */
async function takeTurns(measurement: Measurement): Promise<Pair[]> {
  const { measured, beside } = serversOf(measurement);
  await using besideRun = await Run.start(measurement, beside);
  await using measuredRun = await Run.start(measurement, measured);
  const pairs: Pair[] = [];
  for (let turn = 0; turn < measurement.turns; turn++) {
    pairs.push({ beside: await besideRun.measure(), measured: await measuredRun.measure() });
  }
  return pairs;
}

/** One server runs after the other. */
async function once(measurement: Measurement): Promise<Pair> {
  const { measured, beside } = serversOf(measurement);
  const measureAlone = async (kind: ServerKind) => {
    await using run = await Run.start(measurement, kind);
    return await run.measure();
  };
  return { beside: await measureAlone(beside), measured: await measureAlone(measured) };
}

/** A server that is ready to be measured; disposing ends it. */
class Run implements AsyncDisposable {
  private constructor(
    readonly measure: () => Promise<Figures>,
    readonly server: ServerProcess,
    readonly load: Load,
  ) {}

  static async start({ prepare }: Measurement, kind: ServerKind): Promise<Run> {
    const server = await ServerProcess.start(kind);
    const load = new Load(server.port);
    return new Run(await prepare(server, load), server, load);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.load[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
  }
}
