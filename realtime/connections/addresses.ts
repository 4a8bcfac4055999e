/** How many connections each remote address has. */
export class Addresses {
  readonly #connections = new Map<string, number>();

  /** Whether the address may have one more. An address that is not known has no limit; 0: none has. */
  hasRoomFor(address: string | undefined, most: number): boolean {
    if (address === undefined || most === 0) return true;
    return (this.#connections.get(address) ?? 0) < most;
  }

  add(address: string | undefined): void {
    if (address === undefined) return;
    this.#connections.set(address, (this.#connections.get(address) ?? 0) + 1);
  }

  delete(address: string | undefined): void {
    if (address === undefined) return;
    const left = (this.#connections.get(address) ?? 1) - 1;
    if (left > 0) this.#connections.set(address, left);
    else this.#connections.delete(address);
  }

  /** How many addresses there are. */
  get size(): number {
    return this.#connections.size;
  }
}
