import { timeOf } from "../api.ts";
import type { Server } from "./server.ts";

/** How far a clock may be from where it was set to, in seconds: it is asked for whole ones. */
const tolerance = 3;

/** How far a clock is set ahead and back to see whether its server follows, in seconds. */
const trial = 120;

/** The clock of a server is not where it was set to. */
export class ClockError extends Error {}

/** The wall clock of a process, which can be set apart from the machine's while the process runs. */
export class ShiftedClock implements Disposable {
  readonly #file = Deno.makeTempFileSync({ prefix: "chaos-clock-" });
  #seconds = 0;
  /** For the process. */
  readonly environment: Record<string, string> = {
    // The dynamic linker replaces $LIB by the folder of the machine's architecture.
    LD_PRELOAD: "/usr/$LIB/faketime/libfaketimeMT.so.1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_TIMESTAMP_FILE: this.#file,
    FAKETIME_NO_CACHE: "1",
  };

  constructor() {
    this.shift(0);
  }

  /** @param seconds how far ahead of the machine's clock it is */
  shift(seconds: number): void {
    this.#seconds = seconds;
    const written = `${this.#file}.new`;
    Deno.writeTextFileSync(written, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
    Deno.renameSync(written, this.#file);
  }

  /** Asks the server for its time. @throws {ClockError} when it is not where it was set to */
  async verify(server: Server): Promise<void> {
    const askedAt = Date.now() / 1_000;
    const ahead = await timeOf(server) - askedAt;
    const tookSeconds = Date.now() / 1_000 - askedAt;
    const wrong = ahead - this.#seconds;
    if (wrong >= -tolerance && wrong <= tookSeconds + tolerance) return;
    throw new ClockError(
      `The clock of ${server.name} is ${Math.round(ahead)} s ahead of the machine's instead of ` +
        `${this.#seconds} s; clocks are shifted with libfaketime, of Debian's package faketime`,
    );
  }

  /** Shifts the clock there and back. @throws {ClockError} when the server does not follow */
  async tryOut(server: Server): Promise<void> {
    for (const seconds of [trial, -trial, 0]) {
      this.shift(seconds);
      await this.verify(server);
    }
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#file);
  }
}
