import type { Clock } from "../timing/clock.ts";

/** A connection, as the search for stalled peers sees it. */
export interface Peer {
  readonly unsentBytes: number;
  readonly sentBytes: number;
  /** When the peer's last frame came. */
  readonly lastFrameAt: number;
  /** Whether it may be taking a large frame, of which the socket shows only the end. */
  readonly isTakingLists: boolean;
}

type Suspect = Pick<Peer, "unsentBytes" | "sentBytes" | "lastFrameAt">;

/**
 * Finds peers that took not one frame and sent none for a whole interval although frames were waiting.
 * Pings do not find these: a ping waits behind the unsent bytes forever.
 */
export class StalledPeers<P extends Peer> {
  #suspects = new Map<P, Suspect>();
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
    const suspects = new Map<P, Suspect>();
    const stalled: P[] = [];
    for (const peer of this.peers()) {
      const { unsentBytes, sentBytes, lastFrameAt, isTakingLists } = peer;
      if (unsentBytes === 0 || isTakingLists) continue;
      const before = this.#suspects.get(peer);
      if (before && isSame(before, peer)) stalled.push(peer);
      else suspects.set(peer, { unsentBytes, sentBytes, lastFrameAt });
    }
    this.#suspects = suspects;
    for (const peer of stalled) this.stalled(peer);
  }
}

/** Whether a peer took nothing and sent nothing since. */
function isSame(before: Suspect, now: Suspect): boolean {
  return now.sentBytes - before.sentBytes === now.unsentBytes - before.unsentBytes &&
    now.lastFrameAt === before.lastFrameAt;
}
