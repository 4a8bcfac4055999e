import type { Witness } from "./crowd/witness.ts";
import { secondsText, wait } from "./time.ts";
import type { Server } from "./installation/server.ts";
import { promises } from "./truth/promises.ts";

/** How often a server may fail to start that has all it needs. */
const maxWrong = 5;

/** From which time on a stop or start is printed, in milliseconds. */
const slowMs = 5_000;

/** The pause before another attempt, in milliseconds. */
const pauseMs = 1_000;

/** Starts servers again. What a start needs may be away: then it has to fail, and comes later. */
export class Starts {
  /** Starts that failed as they have to, without Redis or PostgreSQL. */
  refused = 0;
  /** No server is started any more. */
  isOver = false;
  readonly #witness: Witness;
  readonly #print: (line: string) => void;

  constructor(witness: Witness, print: (line: string) => void) {
    this.#witness = witness;
    this.#print = print;
  }

  /** Starts a server, however long what it needs is away. Never rejects. */
  async start(server: Server): Promise<void> {
    const { bounds } = this.#witness;
    for (let wrong = 0; !this.isOver && wrong < maxWrong;) {
      const from = performance.now();
      try {
        await server.start();
        const [stoppedInMs, startedInMs] = [server.stoppedInMs, performance.now() - from];
        server.stoppedInMs = 0;
        if (Math.max(stoppedInMs, startedInMs) < slowMs) return;
        const times = [stoppedInMs, startedInMs].map(secondsText);
        return this.#print(`${server.name} took ${times[0]} to stop, ${times[1]} to start`);
      } catch (error) {
        const away = this.#witness.awayFor(server.name, from - bounds.slackMs).join(", ");
        this.#print(`${server.name} did not start: ${away || "all that it needs is there"}`);
        if (away && isExplained(String(error))) this.refused++;
        else {
          wrong++;
          const why = away ? `during ${away}, and did not say why` : "with all that it needs";
          const text = `${server.name} did not start ${why}: ${error}`;
          this.#witness.violation(promises.processes, text);
        }
        await wait(pauseMs);
      }
    }
  }
}

/** Whether a server has ended with code 1 and one line that names what it could not reach. */
export function isExplained(error: string): boolean {
  return error.includes("ended with code 1:") &&
    /^(?:REDIS_URL|DATABASE_URL): .* cannot be used|^The coordinator of the workers: /m.test(error);
}
