import type { Bounds } from "../bounds.ts";
import type { Crowd } from "../crowd/crowd.ts";
import type { Witness } from "../crowd/witness.ts";
import type { Installation } from "../installation/installation.ts";
import type { Server } from "../installation/server.ts";
import type { Random } from "@/server/demo/random.ts";
import type { Disturbance } from "../truth/records.ts";

/** What faults happen to. */
export interface Simulation {
  readonly installation: Installation;
  readonly crowd: Crowd;
  readonly witness: Witness;
  readonly bounds: Bounds;
  /** Starts a server again, however often that takes. */
  start(server: Server): Promise<void>;
}

/** A fault that was drawn: what it is, and to what. */
export interface PlannedFault {
  /** Of the kind. */
  readonly name: string;
  /** For the log: what it happens to, and for how long. */
  readonly text: string;
  /** What no other fault of the same time may happen to. */
  readonly places: readonly string[];
  /** Resolves when the fault is over. */
  run(): Promise<void>;
}

/** A kind of fault. */
export interface FaultKind {
  readonly name: string;
  /** Draws what the fault happens to, and for how long; undefined: it cannot happen now. */
  plan(simulation: Simulation, random: Random): Omit<PlannedFault, "name"> | undefined;
}

/** Draws a running server. */
export function anyServer({ installation }: Simulation, random: Random): Server {
  return random.pick(installation.servers.filter(({ state }) => state === "running"));
}

/** A time that is shorter than a lease by far, or longer. */
export function duration({ leaseMs }: Bounds, random: Random): number {
  return random.happens(0.6)
    ? random.between(0.03, 0.45) * leaseMs
    : random.between(1.3, 2) * leaseMs;
}

/** Waits while a disturbance lasts. */
export async function during(
  witness: Witness,
  what: Omit<Disturbance, "from" | "until">,
  work: () => Promise<void>,
): Promise<void> {
  const end = witness.disturb(what);
  try {
    await work();
  } finally {
    end();
  }
}
