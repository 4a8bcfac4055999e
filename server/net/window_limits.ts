import { isIPv4 } from "node:net";
import { AddressQuota } from "@/realtime/connections/connection_limits.ts";
import { parseAddress } from "./client_address.ts";
import { text } from "@/shared/language.ts";

const windowMs = 60_000;

/** Keeps senders from flooding others. It keeps the senders of the last minute, and no more. */
export class SendingLimit {
  readonly #sent = new Map<string, number[]>();

  /** @param mostMessages messages that one sender has in a minute. */
  constructor(readonly mostMessages: number) {}

  /** The number of senders that it keeps. */
  get senders(): number {
    return this.#sent.size;
  }

  /**
   * Takes one of the messages that a sender has left.
   *
   * @param now in milliseconds.
   * @returns 0, or, when there is none left, in how many seconds there will be.
   */
  take(sender: string, now: number): number {
    for (const [other, times] of this.#sent) {
      if (times.at(-1)! <= now - windowMs) this.#sent.delete(other);
    }
    const times = (this.#sent.get(sender) ?? []).filter((time) => time > now - windowMs);
    if (times.length >= this.mostMessages) return Math.ceil((times[0] + windowMs - now) / 1_000);
    this.#sent.set(sender, [...times, now]);
    return 0;
  }
}

/** Clients that are remembered; beyond, the one whose window began first is forgotten. */
const maxClients = 10_000;

/** Limits how often a client does something within a window of time. */
export class WindowLimit {
  readonly #clients = new Map<string, { count: number; since: number }>();

  /**
   * @param limit how often within how many milliseconds.
   * @param now milliseconds from any origin.
   */
  constructor(
    readonly limit: { most: number; windowMs: number },
    readonly now: () => number,
  ) {}

  /** In how many seconds the client can try again; null: now. */
  waitSeconds(client: string): number | null {
    const window = this.#clients.get(client);
    const rest = window ? window.since + this.limit.windowMs - this.now() : 0;
    return window && rest > 0 && window.count >= this.limit.most ? Math.ceil(rest / 1_000) : null;
  }

  /** Counts one time. */
  add(client: string): void {
    const window = this.#clients.get(client);
    if (window && window.since + this.limit.windowMs > this.now()) {
      window.count++;
      return;
    }
    this.#clients.delete(client);
    this.#clients.set(client, { count: 1, since: this.now() });
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > maxClients) this.#clients.delete(oldest);
  }
}

/**
 * Limits the requests of a client with right and with wrong tokens separately, so that wrong ones leave as many
 * right ones as there were.
 */
export class TokenLimits {
  readonly #right: WindowLimit;
  readonly #wrong: WindowLimit;

  /** See {@link WindowLimit}. */
  constructor(limit: { most: number; windowMs: number }, now: () => number) {
    this.#right = new WindowLimit(limit, now);
    this.#wrong = new WindowLimit(limit, now);
  }

  /** Counts a request. @returns null; or, when it is one too many, in how many seconds to try again. */
  take(clientAddress: string, isRight: boolean): number | null {
    const limit = isRight ? this.#right : this.#wrong;
    const client = rateLimitKey(clientAddress);
    const waitSeconds = limit.waitSeconds(client);
    if (waitSeconds === null) limit.add(client);
    return waitSeconds;
  }
}

/** The server has too much to do for this request. It is answered with 503 and `Retry-After`. */
export class BusyError extends Error {
  override name = "BusyError";

  /** @param retryAfterSeconds when another attempt is likely to succeed. */
  constructor(readonly retryAfterSeconds: number) {
    super(text`The server is busy. Try again in a moment.`);
  }
}

/** Options of a {@link ConcurrencyLimit}. */
interface ConcurrencyLimitOptions {
  /** How many there may be at the same time. */
  max: number;
  /** How many of those may be of one client, so that others always find room. */
  maxPerClient: number;
  /** When one that is refused is likely to find room, in seconds. */
  retryAfterSeconds: number;
}

/** Limits how much of one kind of work is begun and not yet ended, in all and for each client. */
export class ConcurrencyLimit {
  readonly #running: AddressQuota;
  readonly #retryAfterSeconds: number;

  constructor({ max, maxPerClient, retryAfterSeconds }: ConcurrencyLimitOptions) {
    this.#running = new AddressQuota({ max, maxPerAddress: maxPerClient });
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** How much is begun and not yet ended. */
  get count(): number {
    return this.#running.size;
  }

  /** Whether there is room for work of a client now. */
  hasRoom(client: string): boolean {
    return !this.#running.isFullFor(client);
  }

  /**
   * Runs work within the limit.
   *
   * @param client what counts as one client.
   * @throws {BusyError} when there is no room for it.
   */
  async run<Value>(client: string, work: () => Promise<Value>): Promise<Value> {
    if (!this.hasRoom(client)) throw new BusyError(this.#retryAfterSeconds);
    this.#running.add(client);
    try {
      return await work();
    } finally {
      this.#running.delete(client);
    }
  }
}

/** The key of all peers without an address, such as peers on a Unix socket. */
const unknownPeer = "0.0.0.0";

/**
 * What rate limits count as one client: an IPv4 address, or the /64 network of an IPv6 address, because
 * one subscriber can use all addresses in it. Equal clients have equal keys, however they are spelled.
 */
export function rateLimitKey(address: string): string {
  // Node accepts one spelling of an IPv4 address only; to parse it takes 2 µs of each connection's 150.
  if (isIPv4(address)) return address;
  const parsed = parseAddress(address);
  if (parsed === null) return unknownPeer;
  if (!("parts" in parsed)) return parsed.toString();
  return parsed.parts
    .map((group, index) => (index < 4 ? group : 0).toString(16).padStart(4, "0"))
    .join(":");
}
