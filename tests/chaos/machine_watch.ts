import type { Witness } from "./crowd/witness.ts";
import type { Installation } from "./installation/installation.ts";
import { secondsText } from "./time.ts";
import type { Server } from "./installation/server.ts";

/** How often is looked, in milliseconds. */
const everyMs = 200;

/** A pause of the tool itself from which on the machine counts as too busy, in milliseconds. */
const busyMs = 700;

/** Notes what is no fault of the servers, and no fault that was drawn. */
export class MachineWatch implements Disposable {
  /** Leases that servers lost, over all time. */
  lostLeases = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  #last = performance.now();

  constructor(
    readonly installation: Installation,
    readonly witness: Witness,
    print: (line: string) => void,
  ) {
    this.#timer = setInterval(() => {
      const [from, now] = [this.#last, performance.now()];
      this.#last = now;
      if (now - from > everyMs + busyMs) {
        const what = { name: "the machine was busy", isOfMachine: true };
        witness.disturbances.push({ ...what, from, until: now });
        print(`The machine was too busy for ${secondsText(now - from)}`);
      }
      this.#noteLostLeases(now);
    }, everyMs);
  }

  #noteLostLeases(now: number): void {
    const { bounds, disturbances } = this.witness;
    for (const server of this.installation.servers) {
      const lost = server.newLostLeases();
      if (lost === 0) continue;
      this.lostLeases += lost;
      const from = now - bounds.leaseMs - bounds.slackMs;
      // Without Redis, and when it has lost data, all take new leases, and nothing is announced.
      const isOfAll = disturbances.some((one) =>
        one.server === undefined && !one.isOfDatabase && !one.isOfMachine && one.until > from
      );
      if (isOfAll) continue;
      const what = { name: "lost lease", server: server.name, mayEndLease: true };
      disturbances.push({ ...what, from, until: now });
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** How often each server is asked, in milliseconds. */
const askedEveryMs = 500;

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
    }, askedEveryMs);
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
