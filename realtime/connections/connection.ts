import { type Departure, departures } from "../events/leave_reason.ts";
import { type Close, closes } from "../protocol/close_codes.ts";
import { byteLength, type Frame } from "../protocol/frame.ts";
import { errorFrame } from "../protocol/outgoing.ts";
import { RateLimiter } from "./rate_limiter.ts";
import type { Clock } from "../timing/clock.ts";
import { closeWhenQuiet } from "./quiet_close.ts";
import type { LimitName } from "./refusals.ts";
import type { TokenBucket } from "../timing/token_bucket.ts";

/** The user that a connection signed in as. */
export interface SignedInUser {
  readonly id: string;
  /** JSON text of the `user_info`. */
  readonly info: string;
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
  /** Presence channels only. */
  readonly userId?: string;
}

/** Receives what happens to a connection. */
export interface ConnectionListener {
  readonly maxBufferedBytes: number;
  readonly maxErrors: number;
  readonly clock: Pick<Clock, "after">;
  /** Counts every byte that is handed to a socket. */
  readonly sendBuffer: { spend(bytes: number): void };
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

/** A close frame has no room for more (RFC 6455, 5.5). */
const maxReasonBytes = 123;

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
  /** When the peer's last frame came, or the connection opened; by the server's clock. */
  lastFrameAt = 0;
  #socket: WebSocket;
  #listener: ConnectionListener;
  #state: "connecting" | "open" | "released" | "vanished" = "connecting";
  /** Bytes that can be sent without asking the socket how many are unsent. */
  #credit: number;
  #limit: number;
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
    this.#limit = this.#credit = listener.maxBufferedBytes;
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
    this.#listener.released(this, departure);
    return true;
  }

  /** Whether frames can be sent and received. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  /**
   * Sends a frame, unless the peer reads so slowly that its unsent bytes would exceed the limit: then
   * the connection is closed once the code that runs now has returned.
   */
  send(frame: Frame): void {
    if (this.#state !== "open") return;
    this.#credit -= frame.bytes;
    if (this.#credit < 0 && !this.#hasRoomFor(frame.bytes)) return;
    this.#sent += frame.bytes;
    this.#sentFrames++;
    this.#listener.sendBuffer.spend(frame.bytes);
    try {
      this.#socket.send(frame.text);
    } catch {
      // The socket closed under us; its close event follows.
    }
  }

  /** Sends a frame that may be larger than the limit; later frames have the whole limit again. */
  sendLarge(frame: Frame): void {
    if (this.unsentBytes === 0) {
      this.#limit = Math.max(this.#limit, this.#listener.maxBufferedBytes + frame.bytes);
    }
    this.send(frame);
  }

  #hasRoomFor(bytes: number): boolean {
    const room = this.#limit - this.unsentBytes - bytes;
    this.#credit = room;
    if (room >= 0) return true;
    queueMicrotask(() => this.closeSlow("unreadBytes"));
    return false;
  }

  /** Bytes that the peer has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
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
      this.#failFlooding(closes.tooManyErrors);
    }
  }

  #failFlooding({ code, reason }: Close): void {
    this.send(errorFrame(reason, code));
    if (!this.#release(departures.refused)) return;
    const close = () => this.#socket.close(code, reason);
    this.#cancelClose = closeWhenQuiet(this.#listener.clock, () => this.#lateFrames, close);
  }

  /** Sends `pusher:error` and closes; see {@link close}. */
  fail(close: Close, departure?: Departure): void {
    this.send(errorFrame(close.reason, close.code));
    this.close(close, departure);
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
    this.#socket.close(code, byteLength(reason) <= maxReasonBytes ? reason : "");
  }
}
