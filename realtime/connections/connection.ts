import type { Channel } from "../channels/channel.ts";
import { byteLength, type Frame } from "../protocol/frame.ts";
import { errorFrame } from "../protocol/outgoing.ts";
import { PerSecond } from "./per_second.ts";
import { closeCodes } from "../protocol/protocol.ts";
import type { App } from "../app.ts";
import type { LimitName } from "./refusals.ts";

/** Who a connection signed in as. */
export interface SignedInUser {
  readonly id: string;
  /** JSON text of the `user_info`. */
  readonly info: string;
  /** The users whose coming and going it hears of. */
  readonly watchlist: readonly string[];
}

/** Whose connection it is, as the server knows that signs its requests. */
export interface Owner {
  readonly userId: string;
  /** The session in which the user was signed for; another one's end leaves the connection alone. */
  readonly sessionId?: string;
}

/** A connection's place in a channel. */
export interface Subscription {
  readonly channel: Channel<Connection>;
  /** In a presence channel, as whom. */
  readonly userId?: string;
}

/** Why a connection ended. */
export type Ending =
  /** The peer closed it, or its TCP connection broke. */
  | "closed"
  /** The peer answered no ping for the whole idle time. */
  | "timed out"
  /** This server closed it. */
  | "ended";

/** What a connection tells its server. */
export interface ConnectionListener {
  readonly maxBufferedBytes: number;
  readonly maxErrors: number;
  /** Hears of every byte that is handed to a socket. */
  readonly sendBuffer: { spend(bytes: number): void };
  opened(connection: Connection): void;
  received(connection: Connection, data: unknown): void;
  /** Called exactly once, at the first sign of the end; the socket may still linger. */
  released(connection: Connection, ending: Ending): void;
  /** The socket is gone; called at most once, after `released`, and perhaps never. */
  vanished(connection: Connection): void;
  failed(connection: Connection, error: unknown): void;
  /** The connection is closed for passing a limit. */
  passed(limit: LimitName, connection: Connection): void;
}

/** Deno's reason for closing a socket whose peer answered no ping. */
const idleReason = "No response from ping frame.";

/** A close frame has no room for more (RFC 6455, 5.5). */
const maxReasonBytes = 123;

/** Errors are counted within windows of this many milliseconds. */
const errorWindowMs = 10_000;

/**
 * One socket. It listens itself (`handleEvent`), so that a connection costs one object. Released
 * exactly once: `close` may come twice, or long after this server closed the socket.
 */
export class Connection {
  /** Absent when the connection is refused: it is closed as soon as it is open. */
  readonly app: App | undefined;
  /** Empty until the first subscription; most connections have one or two. */
  readonly subscriptions = new Map<string, Subscription>();
  user: SignedInUser | undefined;
  readonly messages = new PerSecond();
  readonly clientEvents = new PerSecond();
  /** When the last frame of the peer came, or the connection opened; by the server's clock. */
  heardAt = 0;
  holder: Owner | undefined;
  #socket: WebSocket;
  #owner: ConnectionListener;
  #state: "connecting" | "open" | "released" | "vanished" = "connecting";
  /** Bytes that can be sent with no look at how many are unsent. */
  #credit: number;
  #limit: number;
  #sent = 0;
  #sentFrames = 0;
  #errors = 0;
  #errorsSince = 0;

  constructor(
    readonly id: string,
    app: App | undefined,
    socket: WebSocket,
    owner: ConnectionListener,
    /** The remote address, where it is known. */
    readonly address?: string,
  ) {
    this.app = app;
    this.#socket = socket;
    this.#owner = owner;
    this.#limit = this.#credit = owner.maxBufferedBytes;
    // None for errors, after which a close event follows: a fourth takes 0.4 KB of heap each.
    for (const type of ["open", "message", "close"]) socket.addEventListener(type, this);
  }

  /** Takes every event of the socket. Never throws: Deno ends the process at an error here. */
  handleEvent(event: Event): void {
    try {
      this.#handle(event);
    } catch (error) {
      this.#owner.failed(this, error);
    }
  }

  #handle(event: Event): void {
    if (event.type === "message") {
      if (this.#state === "open") this.#owner.received(this, (event as MessageEvent).data);
    } else if (event.type === "open") {
      this.#state = "open";
      this.#owner.opened(this);
    } else if (event.type === "close") {
      this.#ended((event as CloseEvent).reason === idleReason ? "timed out" : "closed");
    }
  }

  #ended(ending: Ending): void {
    this.#release(ending);
    if (this.#state === "vanished") return;
    this.#state = "vanished";
    this.#owner.vanished(this);
  }

  #release(ending: Ending): boolean {
    if (this.#state === "released" || this.#state === "vanished") return false;
    this.#state = "released";
    this.#owner.released(this, ending);
    return true;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /**
   * Sends a frame, unless the peer reads so slowly that its unsent bytes would pass the limit: then
   * the connection is closed, after the code that runs now.
   */
  send(frame: Frame): void {
    if (this.#state !== "open") return;
    this.#credit -= frame.bytes;
    if (this.#credit < 0 && !this.#hasRoomFor(frame.bytes)) return;
    this.#sent += frame.bytes;
    this.#sentFrames++;
    this.#owner.sendBuffer.spend(frame.bytes);
    try {
      this.#socket.send(frame.text);
    } catch {
      // The socket closed under us; its close event follows.
    }
  }

  /** Sends a frame that may be larger than the limit; what follows it has the limit to itself. */
  sendLarge(frame: Frame): void {
    if (this.unsentBytes === 0) {
      this.#limit = Math.max(this.#limit, this.#owner.maxBufferedBytes + frame.bytes);
    }
    this.send(frame);
  }

  #hasRoomFor(bytes: number): boolean {
    const room = this.#limit - this.unsentBytes - bytes;
    this.#credit = room;
    if (room >= 0) return true;
    queueMicrotask(() => this.giveUp("unreadBytes"));
    return false;
  }

  /** Closes the connection for what its peer has not read. */
  giveUp(limit: LimitName): void {
    if (!this.isOpen) return;
    this.#owner.passed(limit, this);
    this.end(closeCodes.overCapacity, "Reads too slowly");
  }

  /** Bytes that the peer has not taken yet. */
  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Bytes handed to the socket so far, sent or not. */
  get sentBytes(): number {
    return this.#sent;
  }

  /** Frames handed to the socket so far. */
  get sentFrames(): number {
    return this.#sentFrames;
  }

  /** Answers something wrong; the connection stays, unless it errs too often. */
  refuse(message: string, now: number, ...more: Frame[]): void {
    this.send(errorFrame(message));
    for (const frame of more) this.send(frame);
    if (now - this.#errorsSince >= errorWindowMs) {
      this.#errorsSince = now;
      this.#errors = 0;
    }
    if (++this.#errors > this.#owner.maxErrors && this.isOpen) {
      this.#owner.passed("errors", this);
      this.fail(closeCodes.notAuthorized, "Too many errors");
    }
  }

  /** Says what is wrong and closes. */
  fail(code: number, message: string): void {
    this.send(errorFrame(message, code));
    this.end(code, message);
  }

  /** Releases the connection at once and asks the peer to close; never waits for it. */
  end(code: number, reason: string, ending: Ending = "ended"): void {
    if (!this.#release(ending)) return;
    this.#socket.close(code, byteLength(reason) <= maxReasonBytes ? reason : "");
  }
}
