import type { Clock } from "../timing/clock.ts";

/** What is looked at. */
interface Peer {
  readonly unsentBytes: number;
}

/**
 * Keeps what all peers together have not read under a limit. Every peer is asked only after a quarter
 * of the limit was sent, and once the code that sends is done. When more than three quarters are
 * unread then, the peers that left most are given up until half is left. So the limit holds, but for
 * what is sent within one turn of the event loop.
 */
export class SendBuffer<P extends Peer> {
  readonly #maxBytes: number;
  readonly #peers: () => Iterable<P>;
  readonly #giveUp: (peer: P) => void;
  readonly #clock: Clock;
  #credit: number;
  #cancel: (() => void) | undefined;

  constructor(
    maxBytes: number,
    peers: () => Iterable<P>,
    giveUp: (peer: P) => void,
    clock: Clock,
  ) {
    this.#maxBytes = maxBytes;
    this.#peers = peers;
    this.#giveUp = giveUp;
    this.#clock = clock;
    this.#credit = maxBytes / 4;
  }

  /** So many bytes were handed to a peer's socket. */
  spend(bytes: number): void {
    this.#credit -= bytes;
    if (this.#credit < 0) this.#cancel ??= this.#clock.after(0, () => this.#look());
  }

  #look(): void {
    this.#cancel = undefined;
    this.#credit = this.#maxBytes / 4;
    const unread = [...this.#peers()].map((peer) => ({ peer, bytes: peer.unsentBytes }));
    let total = unread.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= this.#maxBytes * 3 / 4) return;
    unread.sort((one, other) => other.bytes - one.bytes);
    for (const { peer, bytes } of unread) {
      if (total <= this.#maxBytes / 2) return;
      total -= bytes;
      this.#giveUp(peer);
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
