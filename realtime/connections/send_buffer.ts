import type { Clock } from "../timing/clock.ts";

/** A connection, as the send buffer sees it. */
interface Peer {
  readonly unsentBytes: number;
}

/**
 * Keeps the bytes that all peers together have not read below a limit. It adds them up only after
 * another quarter of the limit was sent, and once the code that sends has returned. If they exceed
 * three quarters then, it closes the peers with the most unread bytes until half is left. So the
 * limit holds, except for what is sent within one turn of the event loop.
 */
export class SendBuffer<P extends Peer> {
  readonly #maxBytes: number;
  readonly #peers: () => Iterable<P>;
  readonly #close: (peer: P) => void;
  readonly #clock: Clock;
  #credit: number;
  #cancel: (() => void) | undefined;

  constructor(
    maxBytes: number,
    peers: () => Iterable<P>,
    close: (peer: P) => void,
    clock: Clock,
  ) {
    this.#maxBytes = maxBytes;
    this.#peers = peers;
    this.#close = close;
    this.#clock = clock;
    this.#credit = maxBytes / 4;
  }

  /** Counts bytes that were handed to a peer's socket. */
  spend(bytes: number): void {
    this.#credit -= bytes;
    if (this.#credit < 0) this.#cancel ??= this.#clock.after(0, () => this.#check());
  }

  #check(): void {
    this.#cancel = undefined;
    this.#credit = this.#maxBytes / 4;
    const unread = [...this.#peers()].map((peer) => ({ peer, bytes: peer.unsentBytes }));
    let total = unread.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= this.#maxBytes * 3 / 4) return;
    unread.sort((one, other) => other.bytes - one.bytes);
    for (const { peer, bytes } of unread) {
      if (total <= this.#maxBytes / 2) return;
      total -= bytes;
      this.#close(peer);
    }
  }

  /** Cancels a check that is due. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
