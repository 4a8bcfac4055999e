import { type Departure, departures } from "../events/server_events.ts";
import { type Close, closes, fittingReason } from "../protocol/close_codes.ts";
import { errorFrame, type Frame } from "../protocol/outgoing.ts";
import { setIdleTimeout } from "./deno_sockets.ts";
import { type FrameLog, type LateList, type LoggedFrame, SendQueue } from "./send_queue.ts";
import { type Flushed, frameOverhead, type Pacer } from "./pacer.ts";
import { closeWhenQuiet } from "./closing.ts";
import type { LimitName } from "./limit_counters.ts";
import { RateLimiter, type TokenBucket } from "../timing/budget.ts";
import type { ReportedPage } from "../protocol/incoming.ts";
import type { Member } from "../protocol/member.ts";

/** The user that a connection signed in as. */
export interface SignedInUser extends Member {
  /** Ids of the users whose online status is sent to the connection. */
  readonly watchlist: readonly string[];
}

/** The owner of a connection, as known to the server that signs for it. */
export interface Owner {
  readonly userId: string;
  /** The session that the user was signed for in; the end of another leaves the connection open. */
  readonly sessionId?: string;
}

/** A connection's place in a channel. */
export interface Subscription {
  /** Of a member of a presence channel. */
  readonly userId?: string;
  /** Of a user who watches a presence channel without being a member. */
  readonly observerId?: string;
  /** The page that a member's client last reported. */
  page?: OpenPage;
  /** Whether a member's tab is used, as its client last reported it. */
  activity?: UserActivity;
}

/** Whether a tab, or a user over all tabs, is active or idle. */
export interface UserActivity {
  readonly state: "active" | "idle";
  /** In milliseconds since 1970. */
  readonly since: number;
}

/** The page that a client has open. */
export interface OpenPage extends ReportedPage {
  /** When it was reported, in milliseconds since 1970. */
  readonly since: number;
  /** Whether the tab is used, if its client reports that. */
  readonly activity?: UserActivity;
}

/** Receives what happens to a connection. */
export interface ConnectionListener {
  readonly maxErrors: number;
  readonly idleTimeoutSeconds: number;
  /** Counts every byte that is handed to a socket, and has the connections flushed that wait. */
  readonly pacer: Pacer<Connection>;
  opened(connection: Connection): void;
  /** A frame came; `data` is a string, or binary. */
  received(connection: Connection, data: unknown): void;
  /** Called exactly once, at the first sign of the end; the socket may still linger. */
  released(connection: Connection, departure: Departure): void;
  /** The socket is gone; called at most once, after `released`, and perhaps never. */
  vanished(connection: Connection): void;
  failed(connection: Connection, error: unknown): void;
  /** The connection is closed because it exceeded a limit. */
  exceeded(limit: LimitName, connection: Connection): void;
}

/** Deno's reason for closing a socket whose peer answered no ping. */
const idleReason = "No response from ping frame.";

/** What a socket is handed before it is asked whether its peer takes it; bytes with overhead. */
const windowBytes = 16_384;

/**
 * How fast a peer takes a list at the least, in bytes per millisecond. No part of a frame shows until
 * all of it is taken, so that a peer that stopped is found later by the time that this gives a list.
 */
const slowestRate = 32;

/** Errors are counted within windows of this many milliseconds. */
const errorWindowMs = 10_000;

/**
 * One socket. It is the event listener of its socket (`handleEvent`), so that a connection costs one
 * object. It is released exactly once, with one reason: the `close` event may come twice, or long
 * after this server closed the socket.
 */
export class Connection {
  /** By channel name. Empty until the first subscription; most connections have one or two. */
  readonly subscriptions = new Map<string, Subscription>();
  user: SignedInUser | undefined;
  owner: Owner | undefined;
  readonly messages = new RateLimiter();
  readonly clientEvents = new RateLimiter();
  /** Undefined until the first subscription. */
  subscribing: TokenBucket | undefined;
  /** Whether its client unsubscribed from a presence channel. */
  hasLeftPresence = false;
  /** When the connection opened, by the server's clock. */
  openedAt = 0;
  /** When the peer's last frame came, or the connection opened; by the server's clock. */
  lastFrameAt = 0;
  #socket: WebSocket;
  #listener: ConnectionListener;
  #state: "connecting" | "open" | "released" | "vanished" = "connecting";
  /** When a slow peer has taken all the lists that it was sent, by the pacer's clock. */
  #listsTakenAt = 0;
  #cancelLists: (() => void) | undefined;
  /** Bytes that can be handed over without asking the socket how many are unsent. */
  #credit = windowBytes;
  #queue: SendQueue | undefined;
  #sent = 0;
  #sentFrames = 0;
  #errors = 0;
  #errorsSince = 0;
  /** Frames that came after the release. */
  #lateFrames = 0;
  #cancelClose: (() => void) | undefined;

  constructor(
    readonly id: string,
    socket: WebSocket,
    listener: ConnectionListener,
    /** The remote address, where it is known. */
    readonly address?: string,
  ) {
    this.#socket = socket;
    this.#listener = listener;
    // None for errors, after which a close event follows: a fourth takes 0.4 KB of heap each.
    for (const type of ["open", "message", "close"]) socket.addEventListener(type, this);
  }

  /** Takes every event of the socket. Never throws: Deno ends the process at an error here. */
  handleEvent(event: Event): void {
    try {
      this.#handle(event);
    } catch (error) {
      this.#listener.failed(this, error);
    }
  }

  #handle(event: Event): void {
    if (event.type === "message") {
      if (this.#state === "open") this.#listener.received(this, (event as MessageEvent).data);
      else this.#lateFrames++;
    } else if (event.type === "open") {
      this.#state = "open";
      this.#listener.opened(this);
    } else if (event.type === "close") {
      const isSilent = (event as CloseEvent).reason === idleReason;
      this.#vanish(isSilent ? departures.timedOut : departures.closed);
    }
  }

  #vanish(departure: Departure): void {
    this.#release(departure);
    if (this.#state === "vanished") return;
    this.#state = "vanished";
    this.#cancelClose?.();
    this.#listener.vanished(this);
  }

  #release(departure: Departure): boolean {
    if (this.#state === "released" || this.#state === "vanished") return false;
    this.#state = "released";
    this.#queue?.clear();
    this.#queue = undefined;
    this.#cancelLists?.();
    this.#listener.pacer.delete(this);
    this.#listener.released(this, departure);
    return true;
  }

  /** Whether frames can be sent and received. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Sends a frame for this peer alone. It waits while the peer takes nothing. */
  send(frame: Frame): void {
    if (this.#state !== "open") return;
    if (!this.#queue && this.#hasWindow()) this.#hand(frame);
    else this.#wait().add(frame);
  }

  /**
   * Sends the last frame of a channel's log. It waits while the peer takes nothing, or for its turn, which
   * comes sooner where few are sent it.
   */
  sendLogged(entry: LoggedFrame): void {
    if (this.#state !== "open") return;
    if (this.#hasRoom()) {
      if (entry.except !== this.id) this.#hand(entry.frame);
      return;
    }
    this.#wait().follow(entry);
    const { pacer } = this.#listener;
    if (pacer.isForFew(entry)) pacer.hurry(this);
  }

  /**
   * Sends a list, which may be large; what its channel sends meanwhile comes after it. It waits for the
   * next tick of the event loop at least, so that all who join in one are sent one encoding.
   */
  sendList(list: LateList): void {
    if (this.#state !== "open") return;
    if (list.isShort && this.#hasRoom()) this.#hand(list.encode());
    else this.#wait().addList(list);
  }

  /** Drops what waits from a channel that the connection has left. */
  unfollow(log: FrameLog): void {
    this.#queue?.unfollow(log);
  }

  #hasRoom(): boolean {
    return this.#queue === undefined && this.#listener.pacer.credit > 0 && this.#hasWindow();
  }

  #hasWindow(): boolean {
    return this.#credit > 0 || this.#isTaken();
  }

  /** Whether the socket has handed everything to the kernel; then it has room again. */
  #isTaken(): boolean {
    if (this.unsentBytes > 0) return false;
    this.#credit = windowBytes;
    return true;
  }

  #hand({ bytes, text }: Frame): void {
    this.#credit -= bytes + frameOverhead;
    this.#sent += bytes;
    this.#sentFrames++;
    this.#listener.pacer.spend(this, bytes);
    try {
      this.#socket.send(text);
    } catch {
      // The socket closed under us; its close event follows.
    }
  }

  #handList(list: Frame): void {
    this.#hand(list);
    const { idleTimeoutSeconds, pacer } = this.#listener;
    const now = pacer.clock.now();
    this.#listsTakenAt = Math.max(this.#listsTakenAt, now) + list.bytes / slowestRate;
    const ms = this.#listsTakenAt - now;
    if (ms < 1_000) return;
    setIdleTimeout(this.#socket, idleTimeoutSeconds + 2 * ms / 1_000);
    this.#cancelLists?.();
    this.#cancelLists = pacer.clock.after(ms, () => {
      setIdleTimeout(this.#socket, idleTimeoutSeconds);
    });
  }

  /** Whether a slow peer may be still taking the lists that it was sent. */
  get isTakingLists(): boolean {
    return this.#listener.pacer.clock.now() < this.#listsTakenAt;
  }

  #wait(): SendQueue {
    if (!this.#queue) this.#listener.pacer.add(this);
    return this.#queue ??= new SendQueue();
  }

  /** What waits for the peer. */
  get waiting(): SendQueue | undefined {
    return this.#queue;
  }

  /** Hands over what waits, as far as the socket and the pacer have room. */
  flush(): Flushed {
    const queue = this.#queue;
    if (!queue) return "done";
    if (!this.#isTaken()) return "blocked";
    const { pacer } = this.#listener;
    while (this.#credit > 0 && pacer.credit > 0) {
      const isList = queue.isListNext;
      if (isList && !pacer.hasRoomForList) return "blocked";
      const frame = queue.next(this.id);
      if (frame) isList ? this.#handList(frame) : this.#hand(frame);
      if (!queue.isEmpty) continue;
      this.#queue = undefined;
      return "done";
    }
    return "more";
  }

  /** Bytes that the peer has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Whether the runtime has given the socket up and its end has not been told yet. */
  get isGivenUp(): boolean {
    return this.#socket.readyState !== WebSocket.OPEN;
  }

  /** Bytes handed to the socket since it opened, sent or not. */
  get sentBytes(): number {
    return this.#sent;
  }

  /** Frames handed to the socket since it opened. */
  get sentFrames(): number {
    return this.#sentFrames;
  }

  /**
   * Answers a faulty frame with `pusher:error`. The connection stays open, unless it exceeds the limit
   * of errors within ten seconds.
   *
   * @param now by the server's clock.
   * @param more frames to send after the error.
   */
  refuse(message: string, now: number, ...more: Frame[]): void {
    this.send(errorFrame(message));
    for (const frame of more) this.send(frame);
    if (now - this.#errorsSince >= errorWindowMs) {
      this.#errorsSince = now;
      this.#errors = 0;
    }
    if (++this.#errors > this.#listener.maxErrors && this.isOpen) {
      this.#listener.exceeded("errors", this);
      this.failOnceQuiet(closes.tooManyErrors);
    }
  }

  /**
   * Sends `pusher:error`, and closes as soon as the peer sends nothing more, so that the peer learns the code.
   *
   * @param before a frame to send first.
   */
  failOnceQuiet({ code, reason }: Close, before?: Frame): void {
    if (this.isOpen && before) this.#hand(before);
    if (this.isOpen) this.#hand(errorFrame(reason, code));
    if (!this.#release(departures.refused)) return;
    const close = () => this.#socket.close(code, fittingReason(reason));
    this.#cancelClose = closeWhenQuiet(this.#listener.pacer.clock, () => this.#lateFrames, close);
  }

  /** Sends `pusher:error`, before all that waits, and closes; see {@link close}. */
  fail(close: Close, departure?: Departure): void {
    if (this.isOpen) this.#hand(errorFrame(close.reason, close.code));
    this.close(close, departure);
  }

  /** Closes the connection as {@link fail} does, because it exceeds a limit. */
  failOver(limit: LimitName, close: Close): void {
    if (!this.isOpen) return;
    this.#listener.exceeded(limit, this);
    this.fail(close);
  }

  /** Closes the connection because its peer has not read what it was sent. */
  closeSlow(limit: LimitName): void {
    if (!this.isOpen) return;
    this.#listener.exceeded(limit, this);
    this.close(closes.sendBufferFull);
  }

  /**
   * Releases the connection at once and asks the peer to close, without waiting for it. Does nothing
   * to a connection that is released already.
   */
  close({ code, reason }: Close, departure: Departure = departures.refused): void {
    if (!this.#release(departure)) return;
    this.#socket.close(code, fittingReason(reason));
  }
}
