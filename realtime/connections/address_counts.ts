/** Counts the open connections of each remote address. */
export class AddressCounts {
  readonly #connections = new Map<string, number>();

  /**
   * Whether the address may open another connection.
   *
   * @param address undefined when it is not known; then there is no limit.
   * @param max the limit per address; 0: none.
   */
  hasRoomFor(address: string | undefined, max: number): boolean {
    if (address === undefined || max === 0) return true;
    return (this.#connections.get(address) ?? 0) < max;
  }

  /** Counts an opened connection. */
  add(address: string | undefined): void {
    if (address === undefined) return;
    this.#connections.set(address, (this.#connections.get(address) ?? 0) + 1);
  }

  /** Counts a released connection. */
  delete(address: string | undefined): void {
    if (address === undefined) return;
    const left = (this.#connections.get(address) ?? 1) - 1;
    if (left > 0) this.#connections.set(address, left);
    else this.#connections.delete(address);
  }

  /** The number of addresses with open connections. */
  get size(): number {
    return this.#connections.size;
  }
}
