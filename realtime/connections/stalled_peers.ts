import type { Clock } from "../timing/clock.ts";

/** A connection, as the search for stalled peers sees it. */
export interface Peer {
  readonly unsentBytes: number;
  readonly sentBytes: number;
}

/**
 * Finds peers that took not one byte for a whole interval although some were waiting. Pings do not
 * find these: a ping waits behind the unsent bytes forever.
 */
export class StalledPeers<P extends Peer> {
  #suspects = new Map<P, { unsent: number; sent: number }>();
  #cancel: (() => void) | undefined;

  constructor(
    readonly intervalMs: number,
    readonly peers: () => Iterable<P>,
    readonly stalled: (peer: P) => void,
    readonly clock: Clock,
  ) {}

  /** Checks once an interval, until stopped. Starting twice changes nothing. */
  start(): void {
    this.#cancel ??= this.clock.after(this.intervalMs, () => {
      this.#cancel = undefined;
      this.start();
      this.check();
    });
  }

  /** Stops checking and forgets the last check. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#suspects.clear();
  }

  /** The number of peers that had unsent bytes at the last check. */
  get size(): number {
    return this.#suspects.size;
  }

  /** Compares the unsent bytes of every peer with those at the last check. */
  check(): void {
    const suspects = new Map<P, { unsent: number; sent: number }>();
    const stalled: P[] = [];
    for (const peer of this.peers()) {
      const unsent = peer.unsentBytes;
      if (unsent === 0) continue;
      const before = this.#suspects.get(peer);
      const taken = before && peer.sentBytes - before.sent - (unsent - before.unsent);
      if (taken === 0) stalled.push(peer);
      else suspects.set(peer, { unsent, sent: peer.sentBytes });
    }
    this.#suspects = suspects;
    for (const peer of stalled) this.stalled(peer);
  }
}
