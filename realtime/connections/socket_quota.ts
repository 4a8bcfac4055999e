/** How many sockets there may be at once. */
export interface SocketQuotaLimits {
  /** Of all remote addresses. */
  max: number;
  /** Of one remote address; 0: no limit. */
  maxPerAddress: number;
}

/** Counts sockets from their upgrade until their peers have closed, by remote address. */
export class SocketQuota {
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: SocketQuotaLimits;
  #size = 0;

  constructor(limits: SocketQuotaLimits) {
    this.#limits = limits;
  }

  /** The number of sockets. */
  get size(): number {
    return this.#size;
  }

  /** The number of addresses with sockets. */
  get addresses(): number {
    return this.#ofAddress.size;
  }

  /** Whether there are as many sockets as there may be. */
  get isFull(): boolean {
    return this.#size >= this.#limits.max;
  }

  /** Whether there is room for no further socket of an address, which may be unknown. */
  isFullFor(address: string | undefined): boolean {
    const { maxPerAddress } = this.#limits;
    if (this.isFull) return true;
    if (address === undefined || maxPerAddress === 0) return false;
    return (this.#ofAddress.get(address) ?? 0) >= maxPerAddress;
  }

  /** Counts a socket that opens. */
  add(address: string | undefined): void {
    this.#size++;
    if (address === undefined) return;
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
  }

  /** Counts a socket whose peer has closed. */
  delete(address: string | undefined): void {
    this.#size--;
    if (address === undefined) return;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
}
