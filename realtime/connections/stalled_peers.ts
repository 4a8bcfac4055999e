import type { Clock } from "../timing/clock.ts";

/** What is looked at: a connection's bytes. */
export interface Peer {
  readonly unsentBytes: number;
  readonly sentBytes: number;
}

/**
 * Finds peers that took not one byte for a whole interval although there were some for them. Pings
 * do not find these: a ping waits behind the unsent bytes for ever.
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

  /** Looks once an interval from now on, until stopped. Starting twice changes nothing. */
  start(): void {
    this.#cancel ??= this.clock.after(this.intervalMs, () => {
      this.#cancel = undefined;
      this.start();
      this.look();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#suspects.clear();
  }

  get size(): number {
    return this.#suspects.size;
  }

  /** Compares every peer that has unsent bytes with what it had at the last look. */
  look(): void {
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
