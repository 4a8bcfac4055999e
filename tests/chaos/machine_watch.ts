import type { Witness } from "./crowd/witness.ts";
import type { Installation } from "./installation/installation.ts";
import { secondsText } from "./time.ts";

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
