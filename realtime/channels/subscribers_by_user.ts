/** The subscribers of each user of a channel. Most users have one, which is kept without a set. */
export class SubscribersByUser<S extends object> {
  readonly #subscribers = new Map<string, S | Set<S>>();

  /** Adds a subscriber of a user. */
  add(userId: string, subscriber: S): void {
    const known = this.#subscribers.get(userId);
    if (known instanceof Set) known.add(subscriber);
    else this.#subscribers.set(userId, known ? new Set([known, subscriber]) : subscriber);
  }

  /** Removes a subscriber of a user, if it is one. */
  delete(userId: string, subscriber: S): void {
    const known = this.#subscribers.get(userId);
    if (known instanceof Set) known.delete(subscriber);
    if (known === subscriber || (known instanceof Set && known.size === 0)) {
      this.#subscribers.delete(userId);
    }
  }

  /** The subscribers of a user, in the order in which they came. */
  of(userId: string): Iterable<S> {
    const known = this.#subscribers.get(userId);
    if (known === undefined) return [];
    return known instanceof Set ? known : [known];
  }
}
