/** Wrong tokens that a peer can send within a window; further tokens are refused without a look-up. */
const limit = { wrong: 20, windowMs: 60_000 };

/** Peers that are remembered; beyond, the one whose window began first is forgotten. */
const maxPeers = 10_000;

/** Counts the wrong tokens that peers send. */
export class WrongTokens {
  readonly #peers = new Map<string, { wrong: number; since: number }>();

  /** @param now milliseconds from any origin. */
  constructor(readonly now: () => number) {}

  /** In how many seconds the peer can try again; null: now. */
  waitSeconds(peer: string): number | null {
    const known = this.#peers.get(peer);
    const rest = known ? known.since + limit.windowMs - this.now() : 0;
    return known && rest > 0 && known.wrong >= limit.wrong ? Math.ceil(rest / 1_000) : null;
  }

  /** Counts a wrong token. */
  add(peer: string): void {
    const known = this.#peers.get(peer);
    if (known && known.since + limit.windowMs > this.now()) {
      known.wrong++;
      return;
    }
    this.#peers.delete(peer);
    this.#peers.set(peer, { wrong: 1, since: this.now() });
    const [oldest] = this.#peers.keys();
    if (this.#peers.size > maxPeers) this.#peers.delete(oldest);
  }
}
