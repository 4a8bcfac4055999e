/** Clients that are remembered; beyond, the one whose window began first is forgotten. */
const maxClients = 10_000;

/** Wrong tokens of a link that a client can send. */
export const wrongTokens = { most: 20, windowMs: 60_000 };

/** Limits how often a client does something within a window of time. */
export class WindowLimit {
  readonly #clients = new Map<string, { count: number; since: number }>();

  /**
   * @param limit how often within how many milliseconds.
   * @param now milliseconds from any origin.
   */
  constructor(
    readonly limit: { most: number; windowMs: number },
    readonly now: () => number,
  ) {}

  /** In how many seconds the client can try again; null: now. */
  waitSeconds(client: string): number | null {
    const known = this.#clients.get(client);
    const rest = known ? known.since + this.limit.windowMs - this.now() : 0;
    return known && rest > 0 && known.count >= this.limit.most ? Math.ceil(rest / 1_000) : null;
  }

  /** Counts one time. */
  add(client: string): void {
    const known = this.#clients.get(client);
    if (known && known.since + this.limit.windowMs > this.now()) {
      known.count++;
      return;
    }
    this.#clients.delete(client);
    this.#clients.set(client, { count: 1, since: this.now() });
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > maxClients) this.#clients.delete(oldest);
  }
}
