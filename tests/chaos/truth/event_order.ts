/** The events of one channel as all clients received them: each at most once, all in one order. */
export class EventOrder {
  readonly #sequences = new Map<string, { seen: Set<string>; last: string | undefined }>();
  readonly #followers = new Map<string, Set<string>>();

  /** A connection received an event. @returns what is wrong with it */
  received(connection: string, event: string): string | undefined {
    let sequence = this.#sequences.get(connection);
    if (!sequence) this.#sequences.set(connection, sequence = { seen: new Set(), last: undefined });
    if (sequence.seen.has(event)) return `was sent ${event} twice`;
    sequence.seen.add(event);
    if (!this.#followers.has(event)) this.#followers.set(event, new Set());
    if (sequence.last !== undefined) this.#followers.get(sequence.last)?.add(event);
    sequence.last = event;
  }

  has(connection: string, event: string): boolean {
    return this.#sequences.get(connection)?.seen.has(event) ?? false;
  }

  /** Events that one client received in another order than others did. */
  contradiction(): readonly string[] {
    const before = new Map([...this.#followers.keys()].map((event) => [event, 0]));
    for (const followers of this.#followers.values()) {
      for (const event of followers) before.set(event, (before.get(event) ?? 0) + 1);
    }
    const free = [...before].filter(([, count]) => count === 0).map(([event]) => event);
    for (let event = free.pop(); event !== undefined; event = free.pop()) {
      before.delete(event);
      for (const follower of this.#followers.get(event) ?? []) {
        const left = (before.get(follower) ?? 0) - 1;
        before.set(follower, left);
        if (left === 0) free.push(follower);
      }
    }
    return [...before.keys()];
  }

  /** Begins again: nothing is on its way. */
  clear(): void {
    this.#sequences.clear();
    this.#followers.clear();
  }
}
