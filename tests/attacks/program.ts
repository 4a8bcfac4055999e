import { runFlags } from "../../tools/test/configuration.ts";

/** A program of this folder in a process of its own; disposing kills it. */
export class Program implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;

  /** @param options what it finds in its first argument, as JSON. */
  constructor(script: string, options: unknown) {
    const { pathname } = new URL(script, import.meta.url);
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [...runFlags, "-A", pathname, JSON.stringify(options)],
      stdin: "null",
      stdout: "piped",
    }).spawn();
  }

  /** Resolves when it has printed something. @throws {Error} when it ends before */
  async isReady(): Promise<void> {
    const { done } = await this.#process.stdout.getReader().read();
    if (done) throw new Error("A program has ended");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.#process.status;
  }
}
