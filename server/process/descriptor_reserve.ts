import { devNull } from "node:os";

/**
 * File descriptors that are kept back, so that the process still has some for its own files and its
 * database when connections have taken all others.
 */
export class DescriptorReserve {
  readonly #size: number;
  #files: Deno.FsFile[] = [];

  /** @param size how many to keep back. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Keeps the descriptors back. @returns whether as many again are free; if not, none is kept. */
  keep(): boolean {
    try {
      while (this.#files.length < 2 * this.#size) this.#files.push(Deno.openSync(devNull));
    } catch {
      this.release();
      return false;
    }
    this.#close(this.#size);
    return true;
  }

  /** Gives them to the rest of the process. */
  release(): void {
    this.#close(this.#files.length);
  }

  #close(count: number): void {
    for (const file of this.#files.splice(0, count)) file.close();
  }
}
