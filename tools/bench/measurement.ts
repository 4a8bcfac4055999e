import type { Load } from "./load.ts";
import type { ServerKind, ServerProcess } from "./server_process.ts";

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
