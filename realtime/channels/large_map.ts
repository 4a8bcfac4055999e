/**
 * The most entries of the first part. V8 copies a map that is full into one of twice the size, in one step: 20 ms for
 * 131,072 entries, 100 ms for 524,288.
 */
const mostInFirst = 131_072;

/**
 * The number of parts that share all other entries. With 64, the garbage collector copied each of them several times:
 * it leaves large ones where they are.
 */
const otherParts = 16;

/**
 * A map with texts as keys that grows and shrinks in small steps, however large it is. Up to 131,072 entries it is a
 * plain map, in the order in which keys were first set; further entries are in no order.
 */
export class LargeMap<Value> {
  readonly #first = new Map<string, Value>();
  /** Undefined until the first part is full. */
  #others: readonly Map<string, Value>[] | undefined;
  readonly #most: number;
  #inOthers = 0;

  /** @param most how many entries the first part has at most. */
  constructor(most = mostInFirst) {
    this.#most = most;
  }

  /** The number of entries. */
  get size(): number {
    return this.#first.size + this.#inOthers;
  }

  /** Whether there is a value for a key. */
  has(key: string): boolean {
    return this.#first.has(key) || this.#inOthers > 0 && this.#otherOf(key).has(key);
  }

  /** The value of a key. */
  get(key: string): Value | undefined {
    return this.#first.get(key) ??
      (this.#inOthers > 0 ? this.#otherOf(key).get(key) : undefined);
  }

  /** Sets the value of a key, which keeps its place. */
  set(key: string, value: Value): void {
    const other = this.#inOthers > 0 ? this.#otherOf(key) : undefined;
    const isInOther = other?.has(key) ?? false;
    if (!isInOther && (this.#first.size < this.#most || this.#first.has(key))) {
      this.#first.set(key, value);
      return;
    }
    (other ?? this.#otherOf(key)).set(key, value);
    if (!isInOther) this.#inOthers++;
  }

  /** Deletes a key. @returns whether it was there */
  delete(key: string): boolean {
    if (this.#first.delete(key)) return true;
    if (this.#inOthers === 0 || !this.#otherOf(key).delete(key)) return false;
    this.#inOthers--;
    return true;
  }

  /** The entries. Those that are added or deleted meanwhile may come or not, and all others come once. */
  *entries(): Generator<[string, Value]> {
    yield* this.#first;
    for (const other of this.#others ?? []) yield* other;
  }

  /** The keys, as {@link entries} has them. */
  *keys(): Generator<string> {
    yield* this.#first.keys();
    for (const other of this.#others ?? []) yield* other.keys();
  }

  /** The values, as {@link entries} has them. */
  *values(): Generator<Value> {
    yield* this.#first.values();
    for (const other of this.#others ?? []) yield* other.values();
  }

  #otherOf(key: string): Map<string, Value> {
    this.#others ??= Array.from({ length: otherParts }, () => new Map());
    let hash = 0;
    for (let index = 0; index < key.length; index++) {
      hash = (hash * 31 + key.charCodeAt(index)) | 0;
    }
    // The low bits of similar keys are similar.
    return this.#others[((hash ^ hash >>> 15) >>> 0) % otherParts];
  }
}
