import type { Report } from "./report.ts";
import { type CheckOptions, runCheck } from "./check.ts";
import { addressOf, type Target } from "./target.ts";

/** The self-tests that a running server makes of itself: one at a time. */
export class Checks {
  readonly #target: () => Target;
  readonly #options: CheckOptions;
  #running: Promise<Report> | undefined;
  #latest: Report | null = null;

  constructor(target: () => Target, options: CheckOptions = {}) {
    this.#target = target;
    this.#options = options;
  }

  /** What is tested: the public address. */
  get address(): string {
    return addressOf(this.#target());
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** What came of the last one that has ended since the start of the server. */
  get latest(): Report | null {
    return this.#latest;
  }

  /** Makes one. Whoever asks while one goes on gets what comes of that. */
  run(): Promise<Report> {
    return this.#running ??= this.#run().finally(() => this.#running = undefined);
  }

  async #run(): Promise<Report> {
    return this.#latest = await runCheck(this.#target(), this.#options);
  }
}
