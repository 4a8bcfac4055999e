import type { Report } from "./report.ts";
import { type CheckOptions, runCheck } from "./run_check.ts";
import { addressOf, type Target } from "./target.ts";

/** The checks that a running server makes of its own public address, one at a time. */
export class ServerChecks {
  readonly #target: () => Target;
  readonly #options: CheckOptions;
  #running: Promise<Report> | undefined;
  #latest: Report | null = null;

  /** @param target read at the start of each check, because the app's secret may change. */
  constructor(target: () => Target, options: CheckOptions = {}) {
    this.#target = target;
    this.#options = options;
  }

  /** The public address that is checked. */
  get address(): string {
    return addressOf(this.#target());
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The report of the last check that ended since the server started; null before the first. */
  get latest(): Report | null {
    return this.#latest;
  }

  /** Runs a check. Calls during a running check share it and its report. */
  run(): Promise<Report> {
    return this.#running ??= this.#run().finally(() => this.#running = undefined);
  }

  async #run(): Promise<Report> {
    return this.#latest = await runCheck(this.#target(), this.#options);
  }
}
