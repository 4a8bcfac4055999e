import { HttpError } from "fresh";
import { define } from "../state.ts";

/** The largest form or JSON body that a page sends is far below this many bytes. */
const maxBytes = 64 * 1024;

/**
 * Reads the body of a request that may change something into `ctx.state.input`. Its fields are texts,
 * or in JSON also numbers, booleans and null. What is wrong with it is told by {@link requireInput}.
 *
 * It stands before it is found out who asks: a client can hold a body back, and must not do with it
 * what it may no longer.
 */
export const readInput = define.middleware(async (ctx) => {
  try {
    ctx.state.input = isSafe(ctx.req.method) ? {} : await inputOf(ctx.req);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.state.inputFault = error;
  }
  return await ctx.next();
});

/**
 * Refuses requests whose body could not be read.
 *
 * @throws {HttpError} 400 for a body that does not parse, 413 for one that is too large, 415 for one
 * that is neither a form nor JSON.
 */
export const requireInput = define.middleware((ctx) => {
  if (ctx.state.inputFault) throw ctx.state.inputFault;
  return ctx.next();
});

/** Whether the method promises to change nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

async function inputOf(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  const type = (request.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(text));
  }
  if (type === "application/json") return parseObject(text);
  throw new HttpError(415, "Send a form (application/x-www-form-urlencoded) or application/json.");
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(400, "The JSON body must be an object.");
  }
  const nested = Object.entries(value).find(([, field]) => typeof field === "object" && field);
  if (nested) {
    throw new HttpError(400, "The fields of the JSON body must not be objects or arrays.");
  }
  return { ...value };
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of chunksOf(request.body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new HttpError(413, `The body is over ${maxBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The parts of a body; one that breaks off is the client's fault, or the network's. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new HttpError(400, "The body ended early.");
  }
}
