/** The wall clock of a process, which can be set apart from the machine's while the process runs. */
export class ShiftedClock implements Disposable {
  readonly #file = Deno.makeTempFileSync({ prefix: "chaos-clock-" });
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
    const written = `${this.#file}.new`;
    Deno.writeTextFileSync(written, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
    Deno.renameSync(written, this.#file);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#file);
  }
}
