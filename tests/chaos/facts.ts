import type { Crowd } from "./crowd/crowd.ts";
import type { Witness } from "./crowd/witness.ts";

/** What the crowd did and received, for the report. */
export function crowdFacts(crowd: Crowd, witness: Witness): Record<string, string> {
  const ofLibrary = crowd.tabs.filter((tab) => tab.isPusherJs).length;
  return {
    "Clients": `${crowd.tabs.length}, ${ofLibrary} of them pusher-js`,
    "Joins, leaves, reloads, moves": Object.values(crowd.counts).join(", "),
    "Frames that clients received": String(witness.frames),
    "Events received": String(witness.events),
    "Connections that ended without the client": String(witness.closes),
    "Of them, closed by a server that alone was without Redis": String(witness.sentAway),
  };
}

/** The memory of the fault test itself, which must not grow with the length of a run. */
export class OwnMemory {
  #first = 0;
  #last = 0;

  measure(): void {
    this.#last = Deno.memoryUsage().rss;
    this.#first ||= this.#last;
  }

  get text(): string {
    return `${megabytes(this.#first)} after the first quiet moment, ` +
      `${megabytes(this.#last)} after the last one`;
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
