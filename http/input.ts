import { STATUS_CODE } from "@std/http/status";
import { HttpError } from "fresh";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { ArrivingBodies } from "./arriving_bodies.ts";
import { cookieScope } from "@/server/accounts/csrf_token.ts";
import { readGuestCookie } from "@/server/accounts/guest.ts";
import { hasSignedSession } from "@/server/accounts/session_cookie.ts";
import { servesHttps } from "@/server/config/config.ts";
import { leavesBodyUnread } from "./rejection.ts";
import { readCookie } from "./session_cookies.ts";
import { rateLimitKey } from "@/server/net/window_limits.ts";
import { logOf } from "@/server/observability/logging.ts";
import { define, type State } from "./state.ts";
import { text } from "@/shared/language.ts";

/** What limits the bodies that a {@link BodyReader} reads. */
interface BodyLimits {
  /** The size of a body, in bytes. */
  maxBytes: number;
  /** How long a body may take to arrive, in ms. */
  timeoutMs: number;
  /** How long none of its bytes may arrive, in ms. */
  stalledMs: number;
  /** How many bodies may arrive at the same time. */
  maxBodies: number;
  /** How many of those may be of one client. */
  maxBodiesPerClient: number;
  clock?: Clock;
}

/**
 * How long to let an incomplete body gather between two reads, in ms. Without a pause, a client that
 * sends single bytes could make the server do nothing but read.
 */
const pauseMs = 10;

/**
 * Reads request bodies whose length is announced, within limits of size, time and number. Beyond the limit
 * of number a new body takes the place of one that has been arriving for longer: what browsers send
 * arrives at once, so slow bodies keep no one else out.
 */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #clock: Clock;
  readonly #arriving: ArrivingBodies;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#clock = limits.clock ?? systemClock;
    const { maxBodies: most, maxBodiesPerClient: mostOfClient } = limits;
    this.#arriving = new ArrivingBodies({ most, mostOfClient });
  }

  /** How many bodies are arriving. */
  get bodies(): number {
    return this.#arriving.count;
  }

  /**
   * Reads a body as UTF-8; empty when there is none.
   *
   * @param client what counts as one client.
   * @throws {HttpError} 400 when its length is malformed or stated twice, or the body ends early, 408 when it
   * takes too long, or another one took its place, 411 when its length is not announced, because a body in
   * chunks costs the time of a read for each of them, 413 when it is too large.
   */
  async read(request: Request, client: string): Promise<string> {
    const { body } = request;
    const announced = request.headers.get("content-length");
    if (request.headers.has("transfer-encoding")) throw lengthRequired();
    // Several headers are joined with commas.
    if (announced !== null && !/^\d+$/.test(announced)) throw malformedLength();
    if (!body) return "";
    const size = Number(announced ?? 0);
    if (announced !== null && size === 0) return "";
    if (size > this.#limits.maxBytes) throw this.#tooLarge();
    return new TextDecoder().decode(await this.#gather(body, size, client));
  }

  /** @param size the announced size; 0 when none was, and no body may follow. */
  async #gather(
    body: ReadableStream<Uint8Array>,
    size: number,
    client: string,
  ): Promise<Uint8Array> {
    const reader = body.getReader();
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      reader.cancel().catch(() => {});
    };
    const leave = this.#arriving.add(client, giveUp);
    const cancelDeadline = this.#clock.after(this.#limits.timeoutMs, giveUp);
    let cancelStalled = this.#clock.after(this.#limits.stalledMs, giveUp);
    const bytes = new Uint8Array(size);
    let length = 0;
    try {
      while (true) {
        const { done, value } = await reader.read().catch(throwEndedEarly);
        if (isLate) throw new HttpError(STATUS_CODE.RequestTimeout, text`The body took too long.`);
        if (done) return length === size ? bytes : throwEndedEarly();
        if (length + value.length > size) throw size === 0 ? lengthRequired() : this.#tooLarge();
        bytes.set(value, length);
        length += value.length;
        cancelStalled();
        cancelStalled = this.#clock.after(this.#limits.stalledMs, giveUp);
        if (length < size) await this.#pause();
      }
    } finally {
      leave();
      cancelDeadline();
      cancelStalled();
      reader.cancel().catch(() => {});
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(pauseMs, resolve));
  }

  #tooLarge(): HttpError {
    const message = text`The request body is larger than ${this.#limits.maxBytes} bytes.`;
    return new HttpError(STATUS_CODE.ContentTooLarge, message);
  }
}

function lengthRequired(): HttpError {
  return new HttpError(STATUS_CODE.LengthRequired, text`Send the body with a Content-Length.`);
}

function malformedLength(): HttpError {
  return new HttpError(STATUS_CODE.BadRequest, text`Send one Content-Length, in digits.`);
}

/** A body that ends early is a bad request, not a failure of the server. */
function throwEndedEarly(): never {
  throw new HttpError(STATUS_CODE.BadRequest, text`Request body ended early.`);
}

const log = logOf("http");

/** What pages send is far smaller, and arrives far sooner. At most 32 MiB arrive at the same time. */
const limits = {
  maxBytes: 64 * 1024,
  timeoutMs: 10_000,
  stalledMs: 2_000,
  maxBodies: 170,
  maxBodiesPerClient: 64,
};

/** Bodies of some senders never take the place of other senders' bodies. */
const bodiesOf = {
  user: new BodyReader(limits),
  guest: new BodyReader(limits),
  stranger: new BodyReader(limits),
};

/**
 * Reads the body of a request with an unsafe method into `ctx.state.input`. Its fields are texts, or in
 * JSON also numbers, booleans and null. {@link requireInput} refuses a body that cannot be parsed.
 *
 * It must come before the visitor is identified: a client can hold its body back, and must not act with
 * rights that it has lost meanwhile.
 *
 * @throws {HttpError} 408 when the body takes too long, 411 when its length is not announced.
 */
export const readInput = define.middleware(async (ctx) => {
  try {
    if (!isSafe(ctx.req.method)) {
      const bodies = bodiesOf[senderOf(ctx.state, ctx.req.headers)];
      const body = await bodies.read(ctx.req, rateLimitKey(ctx.state.clientAddress));
      ctx.state.input = inputOf(ctx.req, body);
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message: reason } = error;
    log.info("A request body was refused", { status, reason, peer: ctx.state.clientAddress });
    if (leavesBodyUnread(error)) throw error;
    ctx.state.inputFault = error;
  }
  return await ctx.next();
});

/** Who sends a request, as far as the signatures of its cookies say: what they stand for may have ended. */
function senderOf({ appSecret, config }: State, headers: Headers): keyof typeof bodiesOf {
  const { namePrefix } = cookieScope(config.appUrl, servesHttps(config));
  if (hasSignedSession(appSecret, namePrefix, headers)) return "user";
  if (!config.admitGuests) return "stranger";
  const guest = readGuestCookie(appSecret, readCookie(headers, config, "guest"));
  return guest === null ? "stranger" : "guest";
}

/**
 * Refuses requests whose body cannot be parsed.
 *
 * @throws {HttpError} 400 when it is incomplete or malformed, 413 when it is too large, 415 when it is
 * neither a form nor JSON.
 */
export const requireInput = define.middleware((ctx) => {
  if (ctx.state.inputFault) throw ctx.state.inputFault;
  return ctx.next();
});

/** Whether a method is safe: it changes nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function inputOf(request: Request, body: string): Record<string, unknown> {
  if (body === "") return {};
  const type = (request.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(body));
  }
  if (type === "application/json") return parseObject(body);
  throw new HttpError(
    415,
    text`Send a form (application/x-www-form-urlencoded) or application/json.`,
  );
}

function parseObject(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new HttpError(400, text`The request body is not valid JSON.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(400, text`The JSON body must be an object.`);
  }
  const nested = Object.entries(value).find(([, field]) => typeof field === "object" && field);
  if (nested) throw new HttpError(400, text`JSON fields can't be objects or arrays.`);
  return { ...value };
}
