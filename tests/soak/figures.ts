import type { AskedProcess } from "../fixtures/asked_process.ts";
import type { Sizes } from "../fixtures/sizes.ts";
import type { Tolerance } from "./growth.ts";

/** The figures of a server, by name. */
export type Figures = Record<string, number>;

/** Measures memory, in MB, and the sizes of all that the server keeps. */
export async function measure(server: AskedProcess): Promise<Figures> {
  const heap = await server.ask<number>("heap") / 1e6;
  const resident = await residentKilobytes(server.pid) / 1e3;
  return { resident, heap, ...await server.ask<Sizes>("sizes") };
}

/** The resident memory of the process. */
async function residentKilobytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** By how much a figure may be higher at the end than before. */
export function toleranceOf(name: string): Tolerance {
  if (name === "resident") return { least: 12, share: 0.06 };
  if (name === "heap") return { least: 2, share: 0.06 };
  return { least: name.endsWith("Bytes") ? 50_000 : 60, share: 0.25 };
}

/** Sizes that outlast the clients for a time: the last events of cache channels. */
export const kept = ["cachedEvents", "cachedBytes"];

/** One line of figures. */
export function lineOf(figures: Figures): string {
  return Object.entries(figures).map(([name, value]) =>
    name === "resident" || name === "heap" ? `${name} ${value.toFixed(1)} MB` : `${name} ${value}`
  ).join(", ");
}
