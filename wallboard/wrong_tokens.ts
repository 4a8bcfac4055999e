/** Wrong tokens of one peer in a window of so many milliseconds; one more is refused unseen. */
const limit = { wrong: 20, windowMs: 60_000 };

/** Peers that are remembered; beyond, the one that began longest ago is forgotten. */
const mostPeers = 10_000;

/** Counts the wrong tokens that peers show. */
export class WrongTokens {
  readonly #peers = new Map<string, { wrong: number; since: number }>();

  /** `now` tells milliseconds; only differences count. */
  constructor(readonly now: () => number) {}

  /** In how many seconds the peer may try again; null: now. */
  waitSeconds(peer: string): number | null {
    const known = this.#peers.get(peer);
    const rest = known ? known.since + limit.windowMs - this.now() : 0;
    return known && rest > 0 && known.wrong >= limit.wrong ? Math.ceil(rest / 1_000) : null;
  }

  /** The peer showed one. */
  add(peer: string): void {
    const known = this.#peers.get(peer);
    if (known && known.since + limit.windowMs > this.now()) {
      known.wrong++;
      return;
    }
    this.#peers.delete(peer);
    this.#peers.set(peer, { wrong: 1, since: this.now() });
    const [oldest] = this.#peers.keys();
    if (this.#peers.size > mostPeers) this.#peers.delete(oldest);
  }
}
