import type { LeaveReason } from "../events/server_events.ts";
import { type Close, closes } from "../protocol/close_codes.ts";
import type { Connection } from "./connection.ts";
import type { Clock } from "../timing/clock.ts";

/** How a server's own code closes connections. */
export interface CloseOptions {
  /** A close code of the protocol. Default 4009, after which a client does not connect again. */
  code?: number;
  /** The reason of the close frame, of at most 123 bytes. Default "Closed". */
  reason?: string;
  /** Why the user leaves its presence channels. Default `removed`. */
  cause?: LeaveReason;
}

/** The code and reason of a close, with their defaults. */
export function closeOf(
  { code = closes.closed.code, reason = closes.closed.reason }: CloseOptions,
): Close {
  return { code, reason };
}

/** Whether a user owns a connection, is signed in on it, or is in a channel through it, member or not. */
export function belongsTo(
  userId: string,
  { owner, user, subscriptions }: Connection,
): boolean {
  return owner?.userId === userId || user?.id === userId ||
    subscriptions.values().some((subscription) =>
      subscription.userId === userId || subscription.observerId === userId
    );
}

/** How long a peer sends nothing before its socket is closed, in milliseconds. */
const quietMs = 50;

/** A peer that does not pause is closed after this many times {@link quietMs}. */
const maxRounds = 40;

/**
 * Closes the socket of a peer that floods, as soon as the peer pauses. Deno cuts a connection off when
 * a frame arrives after the close frame was sent: the client would not learn the close code, take it
 * for a failed network, and connect again.
 *
 * @param received how many frames have come from the peer so far.
 * @returns cancels it
 */
export function closeWhenQuiet(
  clock: Clock,
  received: () => number,
  close: () => void,
): () => void {
  let before = received();
  let rounds = 0;
  const check = () => {
    const now = received();
    if (now === before || ++rounds === maxRounds) return close();
    before = now;
    cancel = clock.after(quietMs, check);
  };
  let cancel = clock.after(quietMs, check);
  return () => cancel();
}

/** The time between two rounds of closing, in milliseconds. */
const stepMs = 20;

/**
 * Closes connections evenly over a time, because pusher-js has no jitter: clients that are closed in
 * one moment connect again in one moment. Resolves when none is open, which may be earlier.
 *
 * @param signal connections that are open when it is aborted stay open.
 */
export async function closeSpread<C extends { readonly isOpen: boolean }>(
  connections: readonly C[],
  close: (connection: C) => void,
  ms: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  const start = clock.now();
  let closed = 0;
  while (!signal?.aborted) {
    const share = ms > 0 ? Math.min(1, (clock.now() - start) / ms) : 1;
    const due = Math.ceil(share * connections.length);
    for (; closed < due; closed++) close(connections[closed]);
    if (!connections.some((connection) => connection.isOpen)) return;
    await new Promise<void>((resolve) => clock.after(stepMs, resolve));
  }
}

/** A connection, as the search for stalled peers sees it. */
interface Peer {
  readonly unsentBytes: number;
  readonly sentBytes: number;
  /** When the peer's last frame came. */
  readonly lastFrameAt: number;
  /** Whether it may be taking a large frame, of which the socket shows only the end. */
  readonly isTakingLists: boolean;
  /** Whether the runtime has given the socket up and its end has not been told yet. */
  readonly isGivenUp: boolean;
}

type Suspect = Omit<Peer, "isTakingLists">;

/**
 * Finds peers that took not one frame and sent none for a whole interval although frames were waiting.
 * Pings do not find these: a ping waits behind the unsent bytes forever. Where a ping came before those, the
 * runtime gives the socket up, and its close frame waits as long, so that no event tells of the end: such a
 * peer is found too.
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
      const { unsentBytes, sentBytes, lastFrameAt, isTakingLists, isGivenUp } = peer;
      if (!isGivenUp && (unsentBytes === 0 || isTakingLists)) continue;
      const before = this.#suspects.get(peer);
      if (before && isSame(before, peer)) stalled.push(peer);
      else suspects.set(peer, { unsentBytes, sentBytes, lastFrameAt, isGivenUp });
    }
    this.#suspects = suspects;
    for (const peer of stalled) this.stalled(peer);
  }
}

/** Whether a peer took nothing and sent nothing since. */
function isSame(before: Suspect, now: Suspect): boolean {
  if (before.isGivenUp || now.isGivenUp) return before.isGivenUp;
  return now.sentBytes - before.sentBytes === now.unsentBytes - before.unsentBytes &&
    now.lastFrameAt === before.lastFrameAt;
}
