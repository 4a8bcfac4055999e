import type { Unavailable } from "../brokers/broker.ts";
import type { CallRejection } from "./app_api.ts";
import { createHash } from "node:crypto";
import type { z } from "zod";
import { readJson } from "../protocol/incoming.ts";
import { isSameText } from "../protocol/signature.ts";

/** A call of the HTTP API that is refused. */
export class ApiError extends Error {
  override name = "ApiError";

  /**
   * @param reason a constant word, for programs.
   * @param message a sentence for the caller's developer.
   */
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly headers: Record<string, string> = {},
    /** The text that has to be signed, and the signature that came. */
    readonly signed?: { readonly signedText: string; readonly signature: string },
  ) {
    super(message);
  }

  /** The answer, with `reason` and `message` as JSON: libraries show the body in their errors. */
  toResponse(): Response {
    const { status, reason, message, headers } = this;
    return Response.json({ reason, message }, { status, headers });
  }
}

/** Why a call about a reserved channel is refused. */
export function reservedText(channel: string): string {
  return `${channel} is reserved for Rollcall's own pages`;
}

/** 400: the call is malformed. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, "bad_request", message);
}

/** 403: the app takes no call now. */
export function forbidden({ reason, message, retryAfterSeconds }: CallRejection): ApiError {
  const wait = retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds);
  return new ApiError(403, reason, message, wait === undefined ? {} : { "retry-after": wait });
}

/** 413: something exceeds its limit. */
export function tooLarge(message: string): ApiError {
  return new ApiError(413, "too_large", message);
}

/** 503: the call can succeed once the servers reach each other; an event may have been sent to some. */
export function unavailable({ message }: Unavailable): ApiError {
  return new ApiError(503, "unavailable", message, { "retry-after": "5" });
}

/**
 * Reads the body of a call and compares it with the digest that was signed.
 *
 * @param digest the call's `body_md5`, if it has one.
 * @throws {ApiError} 413 as soon as it exceeds `maxBytes`, 401 when it is not the signed body, 400
 * when it ends early or is not UTF-8.
 */
export async function readSignedBody(
  request: Request,
  digest: string | undefined,
  maxBytes: number,
): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  if (digest === undefined && bytes.length > 0) {
    throw new ApiError(401, "missing_parameter", "The query has no body_md5 for the body");
  }
  const actual = createHash("md5").update(bytes).digest("hex");
  if (digest !== undefined && !isSameText(digest, actual)) {
    throw new ApiError(401, "invalid_body_md5", `body_md5 is not the body's MD5, ${actual}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest("The body is not UTF-8");
  }
}

/**
 * A body with a content-length is read as a whole: the HTTP server passes on no byte more, and reading
 * it as a stream takes 20 µs more.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooMany = () => tooLarge(`The body is over ${maxBytes} bytes`);
  const announced = request.headers.get("content-length");
  if (Number(announced) > maxBytes) throw tooMany();
  if (announced !== null) return await request.bytes().catch(throwEndedEarly);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(request.body)) {
    length += chunk.length;
    if (length > maxBytes) throw tooMany();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function* chunksOf(body: Request["body"]): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throwEndedEarly();
  }
}

/** The fault is the caller's, or the network's. */
function throwEndedEarly(): never {
  throw badRequest("The body ended early");
}

/**
 * Reads JSON by a schema.
 *
 * @throws {ApiError} 400 with the place of the fault.
 */
export function parseBody<S extends z.ZodType>(text: string, schema: S): z.infer<S> {
  const result = readJson(text, schema, "body");
  if (!result.ok) throw badRequest(result.fault);
  return result.value;
}

/** One way to read a query. Libraries differ in what they escape before they sign. */
export interface QueryReading {
  /** The parameters as they are signed: sorted by name, joined, without `auth_signature`. */
  signedText: string;
  /** Names are in lower case; the values of a repeated name are joined by commas. */
  parameters: ReadonlyMap<string, string>;
}

type Pair = readonly [name: string, value: string];

/**
 * The ways to read a query string, likely ones first. Libraries sign values unescaped, but some send
 * them like that, others percent-encoded, with `+` for a space or for itself, and sign lists as
 * `name[]=a&name[]=b` or as `name=a,b`. A reading whose signed text could also mean other parameters
 * is left out. Readings are made on demand: the first is nearly always the right one, and making all
 * of them takes 8 µs more.
 */
export function* readingsOf(query: string): Generator<QueryReading> {
  const texts = new Set<string>();
  for (const decode of decoders) {
    const pairs = pairsOf(query, decode);
    if (!pairs) continue;
    const parameters = joined(pairs);
    for (const signed of [[...parameters], pairs]) {
      const signedText = textOf(signed);
      if (texts.has(signedText)) continue;
      texts.add(signedText);
      yield { signedText, parameters };
    }
  }
}

const decoders = [
  (text: string) => decodeURIComponent(text.replaceAll("+", " ")),
  decodeURIComponent,
  (text: string) => text,
];

function pairsOf(query: string, decode: (text: string) => string): Pair[] | undefined {
  try {
    const pairs = query.split("&").filter((part) => part !== "").map((part): Pair => {
      const at = part.includes("=") ? part.indexOf("=") : part.length;
      return [decode(part.slice(0, at)).toLowerCase(), decode(part.slice(at + 1))];
    });
    return pairs.some(isAmbiguous) ? undefined : pairs;
  } catch {
    return undefined; // Not percent-encoded.
  }
}

/** Whether the signed text of the pair could also mean several pairs. */
function isAmbiguous([name, value]: Pair): boolean {
  return /[&=]/.test(name) || value.includes("&");
}

function joined(pairs: Pair[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of pairs) {
    const list = name.replace(/\[\d*\]$/, "");
    const before = parameters.get(list);
    parameters.set(list, before === undefined ? value : `${before},${value}`);
  }
  return parameters;
}

function textOf(pairs: readonly Pair[]): string {
  return pairs.filter(([name]) => name !== "auth_signature")
    .sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0)
    .map(([name, value]) => `${name}=${value}`).join("&");
}
