import process from "node:process";

/** How often the memory is read, in milliseconds. */
const intervalMs = 20;

/** Watches for the peak of this process's resident memory. */
export class MemoryWatch {
  #highest = 0;
  #maxBefore = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Starts to watch. @returns bytes now */
  start(): number {
    clearInterval(this.#timer);
    this.#maxBefore = maxOfProcess();
    this.#highest = Deno.memoryUsage().rss;
    this.#timer = setInterval(() => this.#read(), intervalMs);
    return this.#highest;
  }

  #read(): void {
    this.#highest = Math.max(this.#highest, Deno.memoryUsage().rss);
  }

  /** The most bytes since then: as the kernel knows it, if it is the most ever, else as was read. */
  peak(): number {
    this.#read();
    const max = maxOfProcess();
    return max > this.#maxBefore ? max : this.#highest;
  }
}

function maxOfProcess(): number {
  return process.resourceUsage().maxRSS * 1_024;
}
