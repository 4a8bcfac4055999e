import type { Installation } from "../installation/installation.ts";
import type { Server } from "../installation/server.ts";
import type { Witness } from "./witness.ts";

/** How often each server is asked, in milliseconds. */
const everyMs = 500;

/** A server that needs longer for nothing has no share of the machine, in milliseconds. */
const slowMs = 1_000;

/** Asks servers for nothing, and takes note of the ones for which the machine has no time. */
export class Pulse implements Disposable {
  /** The slowest answer of a server that no fault had stopped, in milliseconds. */
  worstMs = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #asked = new Set<Server>();

  constructor(readonly installation: Installation, readonly witness: Witness) {
    this.#timer = setInterval(() => {
      for (const server of installation.serving) this.#ask(server);
    }, everyMs);
  }

  async #ask(server: Server): Promise<void> {
    if (this.#asked.has(server)) return;
    this.#asked.add(server);
    const from = performance.now();
    try {
      // It is refused without a look into the database or Redis.
      const response = await fetch(`http://127.0.0.1:${server.port}/apps/none/channels`);
      await response.body?.cancel();
      const until = performance.now();
      const { bounds } = this.witness;
      if (until - from > slowMs && server.state === "running") {
        this.worstMs = Math.max(this.worstMs, until - from);
        const mayEndLease = until - from > bounds.leaseMs / 2;
        const what = { name: "busy machine", server: server.name, mayEndLease, holdsSigns: true };
        this.witness.disturbances.push({ ...what, from, until });
      }
    } catch {
      // It has ended.
    }
    this.#asked.delete(server);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
