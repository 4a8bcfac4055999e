import type { Clock } from "../timing/clock.ts";
import type { FrameLog, LoggedFrame } from "./send_queue.ts";

/**
 * What a frame in a socket's own queue takes besides its text: Deno makes a task of each, which is
 * gone once the kernel has the frame.
 */
export const frameOverhead = 700;

/**
 * What is handed to all sockets within one tick of the event loop, in bytes with overhead. Sockets
 * write nothing before the tick ends, so all of it is in memory at once. About 5,000 small frames, or
 * 30 ms.
 */
const defaultTickBytes = 4_194_304;

/** How often the sockets of peers that take nothing are asked whether they do, in milliseconds. */
const pollMs = 20;

/** Frames above this are counted until their peers have taken them. */
const largeBytes = 65_536;

/** What became of an attempt to hand over what waits for a peer. */
export type Flushed = "done" | "more" | "blocked";

/** A connection, as the pacer sees it. */
export interface Peer {
  /** Bytes handed to the socket that the peer has not taken. */
  readonly unsentBytes: number;
  /** Hands over what waits, as far as the socket and the pacer have room. */
  flush(): Flushed;
  /** What waits for the peer. */
  readonly waiting: {
    readonly bytes: number;
    readonly ownBytes: number;
    sharedBytes(): Iterable<[FrameLog, number]>;
  } | undefined;
}

/** What a pacer keeps to. */
export interface PacerOptions<P extends Peer> {
  /** What one peer may leave unread. */
  maxBytes: number;
  /** What all peers together may leave unread; a frame that many wait for counts once. */
  maxTotalBytes: number;
  /** What is handed to all sockets in a tick of the event loop. Default 4 MiB; see there. */
  tickBytes?: number;
  clock: Clock;
  /** A peer takes too little of what it is sent: its connection has to be closed. */
  close(peer: P, limit: "unreadBytes" | "unreadBytesInTotal"): void;
}

/**
 * Spreads what is sent over the ticks of the event loop, so that memory does not rise with the number
 * of frames that are sent at once: what exceeds the room of a tick, or of a socket, waits where a
 * frame is kept once for all peers. Half of each tick is first for peers that wait for a frame that few
 * are sent, so that it does not come after one that is sent to very many. Only a peer that does not take
 * what its socket already has can be closed for what waits; the server's own bursts close none.
 */
export class Pacer<P extends Peer> {
  /** What can be handed over in this tick, in bytes. */
  credit: number;
  readonly clock: Clock;
  readonly #options: PacerOptions<P>;
  readonly #tickBytes: number;
  /** Peers whose turn comes; their sockets have room, as far as is known. */
  readonly #ready = new Set<P>();
  /** The peers that wait for a frame that few are sent. */
  readonly #hurried = new Set<P>();
  /** Peers that have not taken what their sockets have, and among which they wait once they have. */
  readonly #blocked = new Map<P, Set<P>>();
  /** Large frames that their peers have not taken. */
  readonly #large = new Map<P, number>();
  #largeBytes = 0;
  #pollAt = 0;
  #cancel: (() => void) | undefined;
  #wakesAt = Infinity;
  #wakesAtOnce = false;

  constructor(options: PacerOptions<P>) {
    this.#options = options;
    this.clock = options.clock;
    this.#tickBytes = options.tickBytes ?? defaultTickBytes;
    this.credit = this.#tickBytes;
  }

  /** Peers that have not taken what their sockets have. */
  get blocked(): number {
    return this.#blocked.size;
  }

  /** Counts what was handed to a socket. */
  spend(peer: P, bytes: number): void {
    this.credit -= bytes + frameOverhead;
    if (this.credit <= 0) this.#wake(0);
    if (bytes > largeBytes) this.#watch(peer, bytes);
  }

  #watch(peer: P, bytes: number): void {
    this.#large.set(peer, (this.#large.get(peer) ?? 0) + bytes);
    this.#largeBytes += bytes;
    this.#wake(pollMs);
  }

  /** Whether another list may be handed over; half of all that may be unread is for lists. */
  get hasRoomForList(): boolean {
    return this.#largeBytes < this.#options.maxTotalBytes / 2;
  }

  /** Something waits for a peer. */
  add(peer: P): void {
    this.#ready.add(peer);
    this.#wake(0);
  }

  /** Whether half a tick is enough to hand a frame to all who are sent it. */
  isForFew({ frame, receivers }: LoggedFrame): boolean {
    return receivers * (frame.bytes + frameOverhead) <= this.#tickBytes / 2;
  }

  /** A frame waits for a peer that few are sent: all that waits for the peer comes sooner. */
  hurry(peer: P): void {
    if (this.#blocked.has(peer)) this.#blocked.set(peer, this.#hurried);
    else if (this.#ready.delete(peer)) this.#hurried.add(peer);
  }

  /** Forgets a peer that was released. */
  delete(peer: P): void {
    this.#ready.delete(peer);
    this.#hurried.delete(peer);
    this.#blocked.delete(peer);
    this.#taken(peer);
  }

  #taken(peer: P): void {
    this.#largeBytes -= this.#large.get(peer) ?? 0;
    this.#large.delete(peer);
  }

  #wake(milliseconds: number): void {
    // The clock costs more than all else that is done for each of 100,000 peers.
    if (this.#wakesAtOnce) return;
    const at = this.clock.now() + milliseconds;
    if (at >= this.#wakesAt) return;
    this.#cancel?.();
    this.#wakesAt = at;
    this.#wakesAtOnce = milliseconds === 0;
    this.#cancel = this.clock.after(milliseconds, () => this.#tick());
  }

  #tick(): void {
    this.stop();
    this.#poll();
    this.#flushAll();
    if (this.#ready.size > 0 || this.#hurried.size > 0) this.#wake(0);
    else if (this.#blocked.size > 0 || this.#large.size > 0) this.#wake(pollMs);
  }

  #poll(): void {
    const now = this.clock.now();
    if (now < this.#pollAt) return;
    this.#pollAt = now + pollMs;
    for (const peer of this.#large.keys()) if (peer.unsentBytes === 0) this.#taken(peer);
    for (const [peer, waiting] of this.#blocked) {
      if (peer.unsentBytes === 0) {
        this.#blocked.delete(peer);
        waiting.add(peer);
      } else if ((peer.waiting?.bytes ?? 0) > this.#options.maxBytes) {
        this.#options.close(peer, "unreadBytes");
      }
    }
    this.#limitTotal();
  }

  /** Of the peers with the most unread bytes, closes a tenth; the next poll looks again. */
  #limitTotal(): void {
    if (this.#total() <= this.#options.maxTotalBytes) return;
    const unread = Array.from(this.#blocked.keys(), (peer) => ({
      peer,
      bytes: peer.unsentBytes + (peer.waiting?.bytes ?? 0),
    })).sort((one, other) => other.bytes - one.bytes);
    for (const { peer } of unread.slice(0, Math.ceil(unread.length / 10))) {
      this.#options.close(peer, "unreadBytesInTotal");
    }
  }

  #total(): number {
    let total = 0;
    const logs = new Map<FrameLog, number>();
    for (const { unsentBytes, waiting } of this.#blocked.keys()) {
      total += unsentBytes + (waiting?.ownBytes ?? 0);
      for (const [log, bytes] of waiting?.sharedBytes() ?? []) {
        logs.set(log, Math.max(logs.get(log) ?? 0, bytes));
      }
    }
    return logs.values().reduce((sum, bytes) => sum + bytes, total);
  }

  /** What the hurried leave of their half is for the others, and what these leave is for the hurried. */
  #flushAll(): void {
    // Sockets write nothing before the tick ends: each peer is flushed once.
    const again = new Map<P, Set<P>>();
    this.credit = this.#tickBytes / 2;
    this.#flush(this.#hurried, again);
    this.credit = Math.max(0, this.credit) + this.#tickBytes / 2;
    this.#flush(this.#ready, again);
    this.#flush(this.#hurried, again);
    for (const [peer, peers] of again) peers.add(peer);
  }

  #flush(peers: Set<P>, again: Map<P, Set<P>>): void {
    for (const peer of peers) {
      if (this.credit <= 0) break;
      peers.delete(peer);
      const flushed = peer.flush();
      if (flushed === "more") again.set(peer, peers);
      else if (flushed === "blocked") this.#blocked.set(peer, peers);
    }
  }

  /** Cancels the next tick. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#wakesAt = Infinity;
    this.#wakesAtOnce = false;
  }
}
