/** How many there may be at once. */
export interface AddressQuotaLimits {
  /** Of all remote addresses. */
  max: number;
  /** Of one remote address; 0: no limit. */
  maxPerAddress: number;
}

/** Counts what clients make the server keep, such as sockets, in total and by remote address. */
export class AddressQuota {
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: AddressQuotaLimits;
  #size = 0;

  constructor(limits: AddressQuotaLimits) {
    this.#limits = limits;
  }

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of addresses that have any. */
  get addresses(): number {
    return this.#ofAddress.size;
  }

  /** Whether there are as many as there may be. */
  get isFull(): boolean {
    return this.#size >= this.#limits.max;
  }

  /** Whether there is no room for a further one of an address, which may be unknown. */
  isFullFor(address: string | undefined): boolean {
    const { maxPerAddress } = this.#limits;
    if (this.isFull) return true;
    if (address === undefined || maxPerAddress === 0) return false;
    return (this.#ofAddress.get(address) ?? 0) >= maxPerAddress;
  }

  /** Counts a new one. */
  add(address: string | undefined): void {
    this.#size++;
    if (address === undefined) return;
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
  }

  /** Counts one that is gone. */
  delete(address: string | undefined): void {
    this.#size--;
    if (address === undefined) return;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
  }
}
